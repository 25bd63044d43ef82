/* front_txn.c - cutting a thread into transactions (rules in transaction.h).
 *
 * The outermost thing that opens is the `source`: an annotated region, a
 * function, or a lock region. While a source is open, an instance opens with the
 * first event that belongs into one, and again after each boundary. */
#include "checkers/front_state.h"

/* Regions are few; found by what identifies them. Where a function is known it
 * alone does, so that its lock regions are one method, as the papers count. */
static uint32_t intern(struct hd_front *front, const struct hd_region *want) {
    uint32_t hash = want->label * 0x9e3779b1u ^ want->how * 0x85ebca77u;
    bool named = want->label != HD_NO_ID;
    if (!named) {
        hash ^= want->site * 0xc2b2ae3du ^ want->lock * 0x27d4eb2fu;
    }
    hash ^= hash >> 15;
    if (front->region_count * 2 >= front->region_head_count) {
        uint32_t to = front->region_head_count ? front->region_head_count * 2 : 64;
        uint32_t *heads = hd_arena_array(front->arena, to, sizeof *heads);
        front->region_heads = heads;
        front->region_head_count = to;
        size_t count = front->region_count;
        struct hd_region *old = front->regions;
        front->regions = NULL; /* put all in anew: same order, same ids */
        front->region_count = front->region_room = 0;
        for (size_t i = 0; i < count; i++) {
            intern(front, &old[i]);
        }
    }
    uint32_t mask = front->region_head_count - 1, slot = hash & mask;
    for (; front->region_heads[slot]; slot = (slot + 1) & mask) {
        const struct hd_region *r = &front->regions[front->region_heads[slot] - 1];
        if (r->how == want->how && r->label == want->label &&
            (named || (r->site == want->site && r->lock == want->lock))) {
            return front->region_heads[slot] - 1;
        }
    }
    HD_ARENA_FIT(front->arena, front->regions, front->region_room, front->region_count);
    front->regions[front->region_count] = *want;
    front->region_heads[slot] = (uint32_t)++front->region_count;
    return (uint32_t)front->region_count - 1;
}

uint32_t hd_front_region_of(struct hd_front *front, uint32_t label, uint32_t site) {
    struct hd_region region = {label, site, HD_NO_ID, HD_REGION_ANNOTATED};
    return intern(front, &region);
}

static void open_source(struct hd_front *front, struct thread *t, enum source source,
                        const struct hd_region *region, bool deterministic) {
    if (!(front->needs & HD_NEED_TRANSACTIONS)) {
        return;
    }
    uint32_t *known =
        region->how == HD_REGION_FUNCTION ? &front->function_regions[region->label] : NULL;
    t->source = source;
    t->region = known && *known ? *known - 1 : intern(front, region);
    if (known) {
        *known = t->region + 1;
    }
    t->deterministic = deterministic;
    t->pos = 0;
}

static void open_annotation(struct hd_front *front, struct thread *t) {
    const struct annotation *a = &t->annotations[0];
    struct hd_region region = {a->label, a->site, HD_NO_ID, HD_REGION_ANNOTATED};
    open_source(front, t, SOURCE_ANNOTATED, &region, a->deterministic);
}

static void open_function(struct hd_front *front, struct thread *t, size_t call,
                          uint32_t site) {
    struct hd_region region = {t->calls[call], site, HD_NO_ID, HD_REGION_FUNCTION};
    open_source(front, t, SOURCE_FUNCTION, &region, false);
    t->source_depth = call + 1;
}

static void open_lock_region(struct hd_front *front, struct thread *t, uint32_t site) {
    if (t->function != HD_NO_ID && front->label_facts[t->function] & LABEL_BARRED) {
        return;
    }
    bool memory = t->outer_lock == hd_front_tm(front);
    struct hd_region region = {
        .label = memory ? t->outer_label : t->function,
        .site = site,
        .lock = t->outer_lock,
        .how = memory ? HD_REGION_MEMORY : HD_REGION_LOCK,
    };
    open_source(front, t, SOURCE_LOCK, &region, false);
}

/* The outermost of what is still open goes on by itself (rule 2). */
static void reopen(struct hd_front *front, struct thread *t) {
    if (t->annotation_count && front->policy->annotated) {
        open_annotation(front, t);
        return;
    }
    bool locked = t->top && front->policy->regions;
    size_t call = 0;
    while (call < t->call_count && !(front->policy->functions &&
                                     front->label_facts[t->calls[call]] & LABEL_TXN)) {
        call++;
    }
    if (call < t->call_count &&
        (!locked || call < t->outer_depth ||
         front->label_facts[t->calls[call]] & LABEL_CALL_OUTLASTS_LOCK)) {
        open_function(front, t, call, HD_NO_ID);
    } else if (locked) {
        open_lock_region(front, t, HD_NO_ID);
    }
}

static void close_source(struct hd_front *front, uint32_t id, const struct hd_event *event,
                         bool incomplete) {
    struct thread *t = &front->threads[id];
    hd_front_close(front, id, event, incomplete);
    t->source = SOURCE_NONE;
    if (!incomplete) {
        reopen(front, t);
    }
}

void hd_front_inside(struct hd_front *front, uint32_t id, const struct hd_event *event) {
    struct thread *t = &front->threads[id];
    struct hd_region *region = &front->regions[t->region];
    if (region->site == HD_NO_ID) {
        region->site = event->site;
    }
    struct hd_step *step = hd_front_emit(front, t, id, event);
    t->txn = front->next_txn++;
    t->pos = 0;
    step->kind = HD_STEP_OPEN;
    step->flags = 0;
    step->obj = region->label;
    step->aux = HD_NO_ID;
    step->site = region->site;
    step->txn = t->txn;
    step->region = t->region;
    step->marks |= t->deterministic ? HD_MARK_DETERMINISTIC : 0;
}

void hd_front_close(struct hd_front *front, uint32_t id, const struct hd_event *event,
                    bool incomplete) {
    struct thread *t = &front->threads[id];
    if (t->txn == HD_NO_ID) {
        return;
    }
    struct hd_step *step = hd_front_emit(front, t, id, event);
    step->kind = HD_STEP_CLOSE;
    step->flags = 0;
    step->obj = front->regions[t->region].label;
    step->aux = HD_NO_ID;
    step->txn = t->txn;
    step->region = t->region;
    step->pos = t->pos;
    step->marks |= incomplete ? HD_MARK_INCOMPLETE : 0;
    t->txn = HD_NO_ID;
}

void hd_front_boundary(struct hd_front *front, uint32_t id, const struct hd_event *event) {
    hd_front_close(front, id, event, false);
}

void hd_front_lock_region(struct hd_front *front, uint32_t id, const struct hd_event *event,
                          uint32_t lock) {
    struct thread *t = &front->threads[id];
    t->outer_lock = lock;
    t->outer_label = event->kind == HD_TXBEGIN ? event->obj : HD_NO_ID;
    t->outer_depth = t->call_count;
    if (!t->source && front->policy->regions) {
        open_lock_region(front, t, event->site);
    }
}

void hd_front_lock_region_end(struct hd_front *front, uint32_t id, const struct hd_event *event) {
    if (front->threads[id].source == SOURCE_LOCK) {
        close_source(front, id, event, false);
    }
}

static void enter(struct hd_front *front, uint32_t id, const struct hd_event *event) {
    struct thread *t = &front->threads[id];
    if (!front->wanted) {
        hd_front_emit(front, t, id, event);
    }
    HD_ARENA_FIT(front->arena, t->calls, t->call_room, t->call_count);
    t->calls[t->call_count++] = event->obj;
    t->function = event->obj;
    uint8_t facts = front->label_facts[event->obj];
    if (!front->policy->functions || !(facts & LABEL_TXN) || event->flags & HD_FLAG_ENTRY) {
        return;
    }
    if (!t->source || (t->source == SOURCE_LOCK && facts & LABEL_CALL_OUTLASTS_LOCK)) {
        hd_front_close(front, id, event, false);
        open_function(front, t, t->call_count - 1, event->site);
    }
}

static void leave(struct hd_front *front, uint32_t id, const struct hd_event *event) {
    struct thread *t = &front->threads[id];
    size_t at = t->call_count;
    while (at && event->obj != HD_NO_ID && t->calls[at - 1] != event->obj) {
        at--;
    }
    if (!at) {
        hd_note(front->notes, "thread %s returns from a function that it did not enter",
                hd_trace_thread(front->trace, id));
        return;
    }
    bool last = t->source == SOURCE_FUNCTION && t->source_depth >= at;
    if (last) {
        hd_front_close(front, id, event, false);
    }
    if (!front->wanted) {
        hd_front_emit(front, t, id, event);
    }
    t->call_count = at - 1;
    t->function = t->call_count ? t->calls[t->call_count - 1] : HD_NO_ID;
    t->outer_depth = t->outer_depth < t->call_count ? t->outer_depth : t->call_count;
    if (last) {
        close_source(front, id, event, false);
    }
}

void hd_front_call(struct hd_front *front, uint32_t id, const struct hd_event *event) {
    if (event->kind == HD_EXIT) {
        leave(front, id, event);
    } else if (event->obj < front->label_count) {
        enter(front, id, event);
    }
}

/* The region that begins would outlast the source. */
static bool takes_over(const struct hd_front *front, const struct thread *t) {
    uint32_t label = t->annotations[0].label;
    uint8_t facts = label < front->label_count ? front->label_facts[label]
                                               : front->unnamed_facts;
    return (t->source == SOURCE_LOCK && facts & LABEL_REGION_OUTLASTS_LOCK) ||
           (t->source == SOURCE_FUNCTION && facts & LABEL_REGION_OUTLASTS_CALL);
}

void hd_front_annotation(struct hd_front *front, uint32_t id, const struct hd_event *event) {
    struct thread *t = &front->threads[id];
    if (event->kind == HD_BEGIN) {
        hd_front_emit(front, t, id, event);
        HD_ARENA_FIT(front->arena, t->annotations, t->annotation_room, t->annotation_count);
        t->annotations[t->annotation_count++] = (struct annotation){
            event->obj, event->site, event->flags & HD_FLAG_DETERMINISTIC};
        if (front->policy->annotated && (!t->source || takes_over(front, t))) {
            hd_front_close(front, id, event, false);
            open_annotation(front, t);
        }
        return;
    }
    if (!t->annotation_count) {
        hd_note(front->notes, "thread %s has an end without a begin",
                hd_trace_thread(front->trace, id));
        return;
    }
    t->annotation_count--;
    if (t->source == SOURCE_ANNOTATED && !t->annotation_count) {
        close_source(front, id, event, false);
    }
    hd_front_emit(front, t, id, event);
}

void hd_front_thread_end(struct hd_front *front, uint32_t id, const struct hd_event *event) {
    struct thread *t = &front->threads[id];
    if (t->source == SOURCE_ANNOTATED && !t->stopped) {
        hd_note(front->notes, "thread %s ends inside of a region", hd_trace_thread(front->trace, id));
    }
    if (t->top && !t->stopped && event->kind == HD_STOP) {
        char name[200];
        hd_note(front->notes, "thread %s stops while it holds lock %s",
                hd_trace_thread(front->trace, id),
                hd_front_lock_name(front, t->top->pub.lock, name, sizeof name));
    }
    if (t->source) {
        close_source(front, id, event, true);
    }
}

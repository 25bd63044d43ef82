/* front_survey.c - what can only be known from the whole trace.
 *
 * Four questions need a look ahead. Is a function small enough to be expected
 * atomic (transaction.h, `default`)? That is a property of all its calls. Does a
 * region or a function outlast what it begins in (rule 2 there)? Was an object
 * that never escaped touched by a stranger (front_escape.c)? And what is contended
 * (contended.h)? Where none can matter the trace is read once only. */
#include "checkers/front_state.h"

#include <string.h>

/* Something that begins inside of another and may outlast it. Both have to do
 * with it: a function that lets go of its caller's lock and returns outlasts nothing. */
struct span {
    uint64_t from;  /* what the thread had done when it began ... */
    uint64_t until; /* ... and when the other one ended; 0: it did not, or too early */
};

/* An activation of a function and what its callees did. */
struct frame {
    uint32_t label;
    uint8_t regions; /* outermost lock regions, stops at one too many */
    bool stops;      /* fork, join, barrier, wait, sleep, output */
    uint64_t locked; /* number of the lock region that it began in; 0: none */
    struct span in_lock;
};

struct caller {
    struct frame *frames;
    size_t count, room;
    uint64_t work;    /* accesses and locks taken so far */
    uint64_t region;  /* number of the lock region it is or was in */
    /* the outermost annotated region */
    uint32_t annotations, label;
    uint64_t locked;  /* as in struct frame */
    size_t calls;     /* it began inside of */
    struct span in_lock, in_call;
    uint32_t depth;   /* locks held, times taken */
    uint32_t first;   /* function that was the first thing it did, or HD_NO_ID */
    bool begun;
    bool after;       /* something came after that function returned */
    bool forked;
    bool closer;      /* look closer at its next event: the front end will (front_odd.c) */
    bool steady;      /* an access tells nothing new about its calls */
};

struct survey {
    struct caller *callers;
};

bool hd_front_wants_survey(const struct hd_front *front) {
    if (front->surveyed) {
        return false;
    }
    bool functions = front->needs & HD_NEED_TRANSACTIONS && front->policy->functions &&
                     front->label_count;
    bool overlap = front->needs & HD_NEED_TRANSACTIONS && front->policy->regions;
    return functions || overlap || front->needs & (HD_NEED_ESCAPE | HD_NEED_CONTENDED);
}

static void mark(struct hd_front *front, const struct frame *frame) {
    if (frame->stops || frame->regions > HD_SMALL_REGIONS) {
        front->label_facts[frame->label] |= LABEL_BIG | (frame->stops ? LABEL_STOPS : 0);
    }
}

static void outer_ends(const struct caller *c, struct span *span) {
    if (!span->until && c->work > span->from) {
        span->until = c->work;
    }
}

static bool outlasted(const struct caller *c, const struct span *span) {
    return span->until && c->work > span->until;
}

static void pop(struct hd_front *front, struct caller *c) {
    struct frame *frame = &c->frames[--c->count];
    mark(front, frame);
    if (outlasted(c, &frame->in_lock)) {
        front->label_facts[frame->label] |= LABEL_CALL_OUTLASTS_LOCK;
    }
    if (c->annotations && c->calls > c->count) {
        outer_ends(c, &c->in_call);
        c->calls = c->count;
    }
    if (c->count) {
        struct frame *below = &c->frames[c->count - 1];
        unsigned regions = below->regions + frame->regions;
        below->regions = regions > HD_SMALL_REGIONS ? HD_SMALL_REGIONS + 1 : (uint8_t)regions;
        below->stops |= frame->stops;
    }
}

static void enter(struct hd_front *front, struct caller *c, const struct hd_event *event) {
    if (event->obj >= front->label_count) {
        return;
    }
    if (!c->begun) {
        c->first = event->obj;
    }
    if (event->flags & HD_FLAG_ENTRY) {
        front->label_facts[event->obj] |= LABEL_ENTRY;
    }
    HD_ARENA_FIT(front->arena, c->frames, c->room, c->count);
    c->frames[c->count++] = (struct frame){
        .label = event->obj,
        .locked = c->depth ? c->region : 0,
        .in_lock.from = c->work,
    };
}

static void begin(struct caller *c, const struct hd_event *event) {
    if (!c->annotations++) {
        c->label = event->obj;
        c->locked = c->depth ? c->region : 0;
        c->calls = c->count;
        c->in_lock = c->in_call = (struct span){.from = c->work};
    }
}

static void end(struct hd_front *front, struct caller *c) {
    if (!c->annotations || --c->annotations) {
        return;
    }
    uint8_t *facts = c->label < front->label_count ? &front->label_facts[c->label]
                                                   : &front->unnamed_facts;
    *facts |= outlasted(c, &c->in_lock) ? LABEL_REGION_OUTLASTS_LOCK : 0;
    *facts |= outlasted(c, &c->in_call) ? LABEL_REGION_OUTLASTS_CALL : 0;
}

static void take(struct caller *c) {
    c->work++;
    if (c->depth++) {
        return;
    }
    c->region++;
    if (c->count) {
        struct frame *top = &c->frames[c->count - 1];
        top->regions += top->regions <= HD_SMALL_REGIONS;
    }
}

static void give(struct caller *c) {
    if (!c->depth || --c->depth) {
        return;
    }
    for (size_t i = c->count; i && c->frames[i - 1].locked == c->region; i--) {
        outer_ends(c, &c->frames[i - 1].in_lock);
    }
    if (c->annotations && c->locked == c->region) {
        outer_ends(c, &c->in_lock);
    }
}

static void leave(struct hd_front *front, struct caller *c, const struct hd_event *event) {
    size_t at = c->count;
    while (at && event->obj != HD_NO_ID && c->frames[at - 1].label != event->obj) {
        at--;
    }
    front->loud |= !at; /* there will be a note */
    while (at && c->count >= at) {
        pop(front, c);
    }
}

static void stop(struct caller *c) {
    if (c->count) {
        c->frames[c->count - 1].stops = true;
    }
}

/* Whoever has touched a granule has touched its object. That a freed one was touched
 * need not be told of a contended granule: it is wanted anyway. */
static void survey_access(struct hd_front *front, const struct hd_event *event) {
    bool escape = front->needs & HD_NEED_ESCAPE;
    if (!front->contended.cells) {
        if (escape) {
            hd_front_escape_touch(front, event);
        }
        return;
    }
    bool writes = hd_kind_writes(event->kind);
    uint32_t count = 1, *single = &front->granule_of[event->obj];
    const uint32_t *granules = single;
    bool fresh = front->reused;
    if (*single == HD_NO_ID) {
        granules = hd_trace_variable_granules(front->trace, event->obj, &count);
    }
    for (uint32_t i = 0; i < count; i++) {
        fresh |= hd_contended_access(&front->contended, event->thread, granules[i], writes);
    }
    if (fresh && (!escape || hd_front_escape_touch(front, event))) {
        for (uint32_t i = 0; i < count; i++) {
            hd_contended_settle(&front->contended, granules[i]);
            front->loud |= hd_contended_is(&front->contended, granules[i]);
        }
    }
}

/* Start, join and barrier. */
static void survey_order(struct hd_front *front, struct caller *c, const struct hd_event *event) {
    stop(c);
    if (front->contended.cells) {
        hd_contended_event(&front->contended, event);
    }
    if (event->kind == HD_FORK || event->kind == HD_JOIN) {
        struct caller *other = &front->survey->callers[event->obj];
        if (event->kind == HD_FORK) {
            other->forked = true;
        } else {
            other->closer = true;
            other->steady = false;
        }
    }
    c->closer |= event->kind == HD_BARRIER;
}

static void survey_other(struct hd_front *front, struct caller *c, const struct hd_event *event) {
    switch (event->kind) {
    case HD_ENTER: enter(front, c, event); return;
    case HD_EXIT: leave(front, c, event); return;
    case HD_BEGIN: begin(c, event); break;
    case HD_END: end(front, c); break;
    case HD_ACQUIRE:
    case HD_TXBEGIN: take(c); break;
    case HD_RELEASE:
    case HD_TXEND: give(c); break;
    case HD_FORK:
    case HD_JOIN:
    case HD_BARRIER:
    case HD_BLEAVE: survey_order(front, c, event); break;
    case HD_WAIT: c->closer = true; /* fall through */
    case HD_SLEEP:
    case HD_OUTPUT: stop(c); break;
    case HD_STOP:
        c->closer = true;
        front->loud |= c->annotations > 0; /* maybe a note */
        break;
    case HD_FREE: hd_front_wanted_freed(front, event->obj); /* fall through */
    case HD_ALLOC:
    case HD_ESCAPE: hd_front_object_event(front, event); break;
    }
    hd_front_wanted_keep(front, event);
}

/* It may do now what it should not, or it does something for the first time. */
static void look_closer(struct hd_front *front, struct caller *c, const struct hd_event *event) {
    c->closer = false;
    if (front->contended.cells) {
        hd_contended_goes_on(&front->contended, event);
    }
    if (hd_kind_is_access(event->kind) || event->kind == HD_ENTER || event->kind == HD_EXIT) {
        hd_front_wanted_keep(front, event);
    }
}

static void survey_event(struct hd_front *front, struct caller *c, const struct hd_event *event) {
    if (hd_kind_is_end(event->kind)) {
        return;
    }
    if (c->begun && !c->count && event->kind != HD_STOP) {
        c->after = true;
    }
    if (c->closer) {
        look_closer(front, c, event);
    }
    if (hd_kind_is_access(event->kind)) {
        c->work++;
        survey_access(front, event);
    } else {
        survey_other(front, c, event);
    }
    c->begun |= event->kind != HD_START; /* that does not begin anything yet */
    c->steady = c->begun && (c->count || c->after) && !c->closer;
}

void hd_front_survey(struct hd_front *front, const struct hd_event *events, size_t count) {
    if (!front->survey) {
        front->survey = hd_arena_get(front->arena, sizeof *front->survey);
        front->survey->callers = hd_arena_array(front->arena, front->thread_count,
                                                sizeof *front->survey->callers);
        for (uint32_t t = 0; t < front->thread_count; t++) {
            front->survey->callers[t].first = HD_NO_ID;
            front->survey->callers[t].closer = true;
        }
    }
    while (count) {
        struct caller *c = &front->survey->callers[events->thread];
        size_t taken = 0;
        if (!c->steady || !hd_kind_is_access(events->kind)) {
            survey_event(front, c, events);
            taken = 1;
        } else {
            if (front->contended.cells && !front->reused) {
                taken = hd_contended_stretch(&front->contended, front->granule_of, events, count);
            }
            if (!taken) {
                survey_access(front, events);
                taken = 1;
            }
            c->work += taken;
        }
        events += taken;
        count -= taken;
    }
}

static bool listed(const char *const *names, uint32_t count, const char *name) {
    for (uint32_t i = 0; name && i < count; i++) {
        if (!strcmp(names[i], name)) {
            return true;
        }
    }
    return false;
}

static void decide(struct hd_front *front, uint32_t id) {
    const struct hd_label *label = hd_trace_label(front->trace, id);
    const struct hd_policy *policy = front->policy;
    uint8_t *facts = &front->label_facts[id];
    if (label->flags & HD_LABEL_ENTRY || (label->name && !strcmp(label->name, "main"))) {
        *facts |= LABEL_ENTRY;
    }
    bool internal = label->flags & (HD_LABEL_STATIC | HD_LABEL_SHORT);
    bool is = !(*facts & LABEL_ENTRY) && !internal &&
              !(policy->small_functions && *facts & LABEL_BIG);
    if (listed(policy->named, policy->named_count, label->name)) {
        is = true;
        if (label->flags & HD_LABEL_SHORT) {
            hd_note(front->notes, "the trace does not tell all that the static function %s does: "
                    "record it with --every-access", label->name);
        }
    }
    for (uint32_t i = 0; i < policy->label_count; i++) is = is || policy->labels[i] == id;
    if (listed(policy->barred, policy->barred_count, label->name)) {
        is = false;
        *facts |= LABEL_BARRED;
    }
    *facts |= is ? LABEL_TXN : 0;
}

enum hd_yields hd_front_yields(const struct hd_front *front, uint32_t label) {
    const unsigned not = LABEL_TXN | LABEL_ENTRY | LABEL_BARRED;
    uint8_t facts = label < front->label_count ? front->label_facts[label] : 0;
    if (!(facts & LABEL_BIG) || facts & not || !front->policy->functions) return HD_YIELDS_NOT;
    return facts & LABEL_STOPS ? HD_YIELDS_STOPS : HD_YIELDS_LARGE;
}

void hd_front_survey_end(struct hd_front *front) {
    front->surveyed = true;
    for (uint32_t t = 0; front->survey && t < front->thread_count; t++) {
        struct caller *c = &front->survey->callers[t];
        if (c->first != HD_NO_ID && c->forked && !c->after) {
            front->label_facts[c->first] |= LABEL_ENTRY;
        }
        while (c->count) {
            pop(front, c);
        }
        front->loud |= c->annotations > 0;
        c->annotations = c->annotations > 0;
        end(front, c);
    }
    for (uint32_t id = 0; id < front->label_count; id++) {
        decide(front, id);
    }
    if (front->survey && front->needs & HD_NEED_ESCAPE) {
        hd_front_escape_surveyed(front);
    }
    if (front->survey) {
        hd_front_wanted_end(front);
    }
    front->survey = NULL;
}

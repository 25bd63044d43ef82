/* front.c - turning events into steps. */
#include "checkers/front_state.h"

#include <stdio.h>
#include <string.h>

#define BATCH 256 /* steps: small enough to stay in the nearest cache */
#define SPARE 8   /* room for the steps that surround an event: OPEN, CLOSE */

static void index_granules(struct hd_front *front) {
    const struct hd_trace *trace = front->trace;
    front->variable_count = hd_trace_variables(trace);
    front->granule_of =
        hd_arena_array(front->arena, front->variable_count, sizeof *front->granule_of);
    for (uint32_t v = 0; v < front->variable_count; v++) {
        uint32_t count;
        const uint32_t *granules = hd_trace_variable_granules(trace, v, &count);
        front->granule_of[v] = count == 1 ? granules[0] : HD_NO_ID;
    }
}

struct hd_front *hd_front_new(struct hd_arena *arena, const struct hd_trace *trace,
                              const struct hd_policy *policy, struct hd_notes *notes,
                              unsigned needs) {
    struct hd_front *front = hd_arena_get(arena, sizeof *front);
    front->arena = arena;
    front->trace = trace;
    front->policy = policy;
    front->notes = notes;
    front->needs = needs;
    front->thread_count = hd_trace_threads(trace);
    front->lock_count = hd_trace_syncs(trace) + 1;
    front->label_count = hd_trace_labels(trace);
    front->locksets = hd_locksets_new(arena);
    if (needs & HD_NEED_PERIODS) {
        front->periods = hd_periods_new(arena, front->thread_count);
    }
    front->threads = hd_arena_array(arena, front->thread_count, sizeof *front->threads);
    for (uint32_t t = 0; t < front->thread_count; t++) {
        front->threads[t].period = HD_NO_ID;
        front->threads[t].function = HD_NO_ID;
        front->threads[t].txn = HD_NO_ID;
        front->threads[t].region = HD_NO_ID;
    }
    front->writer = hd_arena_array(arena, front->lock_count, sizeof *front->writer);
    front->readers = hd_arena_array(arena, front->lock_count, sizeof *front->readers);
    hd_front_odd_begin(front);
    front->label_facts = hd_arena_array(arena, front->label_count, 1);
    front->function_regions =
        hd_arena_array(arena, front->label_count, sizeof *front->function_regions);
    index_granules(front);
    if (needs & HD_NEED_ESCAPE) {
        hd_front_escape_begin(front);
    }
    if (needs & HD_NEED_CONTENDED) {
        hd_front_wanted_begin(front);
    }
    front->batch_room = BATCH;
    front->batch = hd_arena_array(arena, BATCH, sizeof *front->batch);
    if (!hd_front_wants_survey(front)) {
        hd_front_survey_end(front);
    }
    return front;
}

static void access_granule(struct hd_front *front, struct hd_step *step, uint32_t granule) {
    step->obj = granule;
    if (!front->contended.cells || hd_contended_is(&front->contended, granule)) {
        step->marks |= HD_MARK_CONTENDED;
    }
    if (!front->object_of) {
        step->marks |= HD_MARK_ESCAPED;
        return;
    }
    uint32_t object = front->object_of[granule];
    if (hd_front_object_shared(front, object)) {
        step->marks |= HD_MARK_ESCAPED;
    }
    if (front->object_facts[object] & OBJECT_FREED) {
        char name[200];
        uint32_t variable = hd_trace_granule_variable(front->trace, granule);
        hd_note(front->notes, "%s is accessed after it was freed",
                hd_trace_variable_name(front->trace, variable, name, sizeof name));
    }
}

static void access_event(struct hd_front *front, uint32_t id, const struct hd_event *event) {
    struct thread *t = &front->threads[id];
    if (t->txn == HD_NO_ID && t->source) {
        hd_front_inside(front, id, event);
    }
    struct hd_step *step = hd_front_emit(front, t, id, event);
    bool more = event->flags & HD_FLAG_MORE;
    step->marks |= (t->more ? HD_MARK_PART : 0) | (more ? HD_MARK_MORE : 0);
    t->more = more;
    hd_front_belong(front, t, step);
    uint32_t granule = front->granule_of[event->obj];
    if (granule != HD_NO_ID) {
        access_granule(front, step, granule);
        return;
    }
    uint32_t count;
    const uint32_t *granules = hd_trace_variable_granules(front->trace, event->obj, &count);
    struct hd_step part = *step;
    front->made--;
    for (uint32_t i = 0; i < count; i++) {
        step = &front->batch[front->made++];
        *step = part;
        step->marks |= i ? HD_MARK_PART : 0;
        step->marks |= i + 1 < count ? HD_MARK_MORE : 0;
        access_granule(front, step, granules[i]);
    }
}

void hd_front_leave_barrier(struct hd_front *front, uint32_t id) {
    struct thread *t = &front->threads[id];
    t->at_barrier = false;
    t->period = HD_NO_ID;
    if (front->periods) {
        hd_period_leave(front->periods, id, t->barrier, t->episode);
    }
}

/* Start, join and barrier: the events that cut periods. */
static void order_event(struct hd_front *front, uint32_t id, const struct hd_event *event) {
    struct thread *t = &front->threads[id];
    struct thread *other = NULL;
    if (event->kind == HD_FORK || event->kind == HD_JOIN) {
        other = &front->threads[event->obj];
        if (event->obj == id) {
            hd_note(front->notes, "thread %s %s itself; ignored",
                    hd_trace_thread(front->trace, id),
                    event->kind == HD_FORK ? "starts" : "joins");
            return;
        }
    }
    if (event->kind == HD_BLEAVE && !t->at_barrier) {
        hd_note(front->notes, "thread %s leaves a barrier it is not in; ignored",
                hd_trace_thread(front->trace, id));
        return;
    }
    hd_front_boundary(front, id, event);
    hd_front_emit(front, t, id, event);
    if (event->kind == HD_BARRIER || event->kind == HD_BLEAVE) {
        hd_front_odd_barrier(front, event);
    }
    switch (event->kind) {
    case HD_FORK:
        if (other->started || other->forked) {
            hd_note(front->notes, "thread %s %s", hd_trace_thread(front->trace, event->obj),
                    other->forked ? "is started twice" : "ran before it was started");
        }
        other->forked = front->forks = true;
        if (front->periods) {
            hd_period_fork(front->periods, id, event->obj);
        }
        break;
    case HD_JOIN:
        if (other->joined) {
            hd_note(front->notes, "thread %s is joined twice",
                    hd_trace_thread(front->trace, event->obj));
        }
        other->joined = other->odd = true;
        if (front->periods) {
            hd_period_join(front->periods, id, event->obj);
        }
        break;
    case HD_BARRIER:
        t->at_barrier = t->odd = true;
        t->barrier = event->obj;
        t->episode = event->aux;
        if (front->periods) {
            hd_period_arrive(front->periods, id, event->obj, event->aux);
        }
        break;
    case HD_BLEAVE:
        if (t->barrier != event->obj || t->episode != event->aux) {
            hd_note(front->notes, "thread %s leaves another barrier than it came to",
                    hd_trace_thread(front->trace, id));
        }
        hd_front_leave_barrier(front, id);
        break;
    }
    t->period = HD_NO_ID;
    if (other) {
        other->period = HD_NO_ID;
    }
}

static void one_event(struct hd_front *front, const struct hd_event *event) {
    if (hd_kind_is_end(event->kind)) {
        return;
    }
    uint32_t id = event->thread;
    struct thread *t = &front->threads[id];
    if (__builtin_expect(t->odd, 0)) {
        hd_front_look_closer(front, id, event);
    }
    switch (event->kind) {
    case HD_NONE: return;
    case HD_READ:
    case HD_WRITE:
    case HD_VREAD:
    case HD_VWRITE:
    case HD_VRMW: access_event(front, id, event); break;
    case HD_ACQUIRE: hd_front_acquire(front, id, event); break;
    case HD_RELEASE: hd_front_release(front, id, event); break;
    case HD_WAIT: hd_front_wait(front, id, event); break;
    case HD_WAKE: hd_front_wake(front, id, event); break;
    case HD_TXBEGIN:
    case HD_TXEND: hd_front_memory(front, id, event); break;
    case HD_ENTER:
    case HD_EXIT: hd_front_call(front, id, event); break;
    case HD_BEGIN:
    case HD_END: hd_front_annotation(front, id, event); break;
    case HD_FORK:
    case HD_JOIN:
    case HD_BARRIER:
    case HD_BLEAVE: order_event(front, id, event); break;
    case HD_POST:
    case HD_PEND: hd_front_odd_semaphore(front, event); /* fall through */
    case HD_FENCE:
    case HD_NOTIFY:
    case HD_NOTIFYALL:
    case HD_OUTPUT:
    case HD_LOOK:
    case HD_ONCE:
        if (t->txn == HD_NO_ID && t->source) {
            hd_front_inside(front, id, event);
        }
        hd_front_belong(front, t, hd_front_emit(front, t, id, event));
        break;
    case HD_STOP:
        hd_front_thread_end(front, id, event);
        hd_front_emit(front, t, id, event);
        t->stopped = t->odd = true;
        break;
    case HD_ALLOC:
    case HD_FREE:
    case HD_ESCAPE:
        hd_front_object_event(front, event);
        hd_front_emit(front, t, id, event);
        break;
    case HD_START:
        if (t->started && !t->stopped) {
            hd_note(front->notes, "thread %s begins after it has begun",
                    hd_trace_thread(front->trace, id));
        } /* fall through */
    default: hd_front_emit(front, t, id, event);
    }
    t->started = true;
}

/* Accesses of one thread that nobody wants: how many come first. What a region is
 * called after may still be the place of the first. */
static size_t pass_over(struct hd_front *front, const struct hd_event *events, size_t count) {
    const uint8_t *wanted = front->wanted;
    if (!wanted || !hd_kind_is_access(events->kind) || wanted[events->obj]) {
        return 0;
    }
    struct thread *t = &front->threads[events->thread];
    size_t n = 0;
    if (t->odd) {
        return 0;
    }
    while (n < count && events[n].thread == events->thread &&
           hd_kind_is_access(events[n].kind) && !wanted[events[n].obj]) {
        n++;
    }
    if (t->txn == HD_NO_ID && t->source && front->regions[t->region].site == HD_NO_ID) {
        front->regions[t->region].site = events->site;
    }
    t->started = true;
    return n;
}

/* The most steps that an event can become. */
static size_t steps_of(const struct hd_front *front, const struct hd_event *event) {
    uint32_t count = 1;
    if (hd_kind_is_access(event->kind) && front->granule_of[event->obj] == HD_NO_ID) {
        hd_trace_variable_granules(front->trace, event->obj, &count);
    }
    return (size_t)count + SPARE;
}

size_t hd_front_feed(struct hd_front *front, const struct hd_event *events, size_t count,
                     const struct hd_step **steps, size_t *made) {
    size_t taken = 0;
    front->made = 0;
    if (front->first == HD_NO_ID && count) {
        front->first = events[0].thread;
    }
    hd_front_recycle(front);
    while (taken < count) {
        size_t passed = pass_over(front, &events[taken], count - taken);
        if (passed) {
            taken += passed;
            front->seq += passed;
            continue;
        }
        size_t need = steps_of(front, &events[taken]);
        if (front->made + need > front->batch_room) {
            if (front->made) {
                break;
            }
            front->batch = hd_arena_grow(front->arena, front->batch, front->batch_room, need,
                                         sizeof *front->batch);
            front->batch_room = need;
        }
        one_event(front, &events[taken++]);
        front->seq++;
    }
    *steps = front->batch;
    *made = front->made;
    return taken;
}

void hd_front_finish(struct hd_front *front, const struct hd_step **steps, size_t *made) {
    front->made = 0;
    hd_front_recycle(front);
    if (front->batch_room < (size_t)front->thread_count + SPARE) {
        front->batch = hd_arena_grow(front->arena, front->batch, front->batch_room,
                                     (size_t)front->thread_count + SPARE, sizeof *front->batch);
        front->batch_room = (size_t)front->thread_count + SPARE;
    }
    hd_front_odd_end(front);
    for (uint32_t t = 0; t < front->thread_count; t++) {
        struct hd_event nothing = {HD_NO_ID, HD_NO_ID, HD_NO_ID, (uint16_t)t, HD_NONE, 0};
        hd_front_thread_end(front, t, &nothing);
    }
    *steps = front->batch;
    *made = front->made;
}

struct hd_locksets *hd_front_locksets(const struct hd_front *front) { return front->locksets; }
struct hd_periods *hd_front_periods(const struct hd_front *front) { return front->periods; }
uint32_t hd_front_tm(const struct hd_front *front) { return front->lock_count - 1; }
uint32_t hd_front_locks(const struct hd_front *front) { return front->lock_count; }
uint32_t hd_front_regions(const struct hd_front *front) { return (uint32_t)front->region_count; }

const struct hd_region *hd_front_region(const struct hd_front *front, uint32_t region) {
    return &front->regions[region];
}

const char *hd_front_lock_name(const struct hd_front *front, uint32_t lock, char *buffer,
                               size_t size) {
    return lock == hd_front_tm(front) ? "@TM"
                                      : hd_trace_sync_name(front->trace, lock, buffer, size);
}

const char *hd_front_region_name(const struct hd_front *front, uint32_t region, char *buffer,
                                 size_t size) {
    if (region == HD_NO_ID) {
        return "a single event";
    }
    const struct hd_region *r = &front->regions[region];
    if (r->label != HD_NO_ID) {
        const char *name = hd_trace_label(front->trace, r->label)->name;
        if (name && *name) {
            return name;
        }
    }
    const char *function =
        r->site == HD_NO_ID ? NULL : hd_trace_site(front->trace, r->site)->function;
    if (function) {
        return function;
    }
    if (r->lock == HD_NO_ID) {
        return "an unnamed region";
    }
    char lock[200];
    snprintf(buffer, size, "region of %s", hd_front_lock_name(front, r->lock, lock, sizeof lock));
    return buffer;
}

/* front_escape.c - from when on another thread can reach an object.
 *
 * Accesses before that moment cannot race and cannot be interfered with; checkers
 * leave them out. The rules, as far as a trace can tell:
 *   (1) Static storage, hidden state of libraries and what a text trace never
 *       allocates: shared from the start.
 *   (2) A heap, stack or thread-local object belongs to its owner until an
 *       `escape` event names it. Whoever writes the trace decides when that is: its
 *       address stored into shared memory, or handed to a started thread.
 *   (3) A compiler callback comes before the store and without its value, so a
 *       recorder may not see that moment; pointers may be hidden besides
 *       (tagged, copied bytewise). Therefore: an object that a stranger touches
 *       while it still counts as its owner's was shared all along, from its
 *       allocation. That is seen by a first pass over the trace (the survey).
 *       Nothing is missed so; what a trace without `escape` events loses is only
 *       that initialisation counts, too.
 *   (4) Allocating again makes an object new. Nothing else takes sharing back.
 * Assumed: memory that nobody else touches in this trace is touched by nobody
 * else in the executions that the checkers predict from it. */
#include "checkers/front_state.h"

static uint8_t at_first(const struct hd_object *object) {
    bool own = object->kind == HD_OBJECT_HEAP || object->kind == HD_OBJECT_STACK ||
               object->kind == HD_OBJECT_TLS;
    return own ? OBJECT_OWNED : OBJECT_ESCAPED;
}

void hd_front_escape_begin(struct hd_front *front) {
    const struct hd_trace *trace = front->trace;
    uint32_t granules = hd_trace_granules(trace);
    front->object_of = hd_arena_array(front->arena, granules, sizeof *front->object_of);
    for (uint32_t g = 0; g < granules; g++) {
        uint32_t variable = hd_trace_granule_variable(trace, g);
        front->object_of[g] = hd_trace_variable(trace, variable)->object;
    }
    front->object_count = hd_trace_objects(trace);
    front->object_facts = hd_arena_array(front->arena, front->object_count, 1);
    front->object_owner =
        hd_arena_array(front->arena, front->object_count, sizeof *front->object_owner);
    for (uint32_t o = 0; o < front->object_count; o++) {
        front->object_facts[o] = at_first(hd_trace_object(trace, o));
        front->object_owner[o] = hd_trace_object(trace, o)->owner;
    }
}

void hd_front_object_event(struct hd_front *front, const struct hd_event *event) {
    if (!(front->needs & HD_NEED_ESCAPE) || event->obj >= front->object_count) {
        return;
    }
    uint8_t *facts = &front->object_facts[event->obj];
    switch (event->kind) {
    case HD_ALLOC:
        front->reused |= *facts & OBJECT_TOUCHED;
        *facts = (*facts & OBJECT_LATE) | OBJECT_OWNED;
        front->object_owner[event->obj] = event->thread;
        break;
    case HD_ESCAPE:
        *facts |= OBJECT_ESCAPED;
        front->escapes = true;
        break;
    case HD_FREE:
        if (*facts & OBJECT_FREED && front->surveyed) {
            hd_note(front->notes, "an object is freed twice, by thread %s",
                    hd_trace_thread(front->trace, event->thread));
        }
        *facts |= OBJECT_FREED;
        break;
    }
}

bool hd_front_escape_touch(struct hd_front *front, const struct hd_event *event) {
    uint32_t count = 1, *single = &front->granule_of[event->obj];
    const uint32_t *granules = single;
    if (*single == HD_NO_ID) {
        granules = hd_trace_variable_granules(front->trace, event->obj, &count);
    }
    if (!count) {
        return false;
    }
    uint32_t object = front->object_of[granules[0]]; /* a variable lies in one object */
    uint8_t *facts = &front->object_facts[object];
    *facts |= OBJECT_TOUCHED;
    if (front->wanted && *facts & OBJECT_FREED) {
        front->wanted[event->obj] = true; /* there will be a note */
    }
    if (hd_front_object_shared(front, object)) {
        return true; /* until it is allocated again, which `reused` tells */
    }
    if (*facts & OBJECT_OWNED && front->object_owner[object] != event->thread) {
        *facts |= OBJECT_LATE;
    }
    return false;
}

void hd_front_escape_surveyed(struct hd_front *front) {
    uint32_t late = 0;
    for (uint32_t o = 0; o < front->object_count; o++) {
        late += (front->object_facts[o] & OBJECT_LATE) != 0;
        front->object_facts[o] = (front->object_facts[o] & OBJECT_LATE) |
                                 at_first(hd_trace_object(front->trace, o));
        front->object_owner[o] = hd_trace_object(front->trace, o)->owner;
    }
    if (late && front->escapes) { /* a recorder that tells escapes missed some */
        hd_note(front->notes,
                "%u object%s touched by another thread without having escaped; counted as "
                "shared from the start",
                late, late == 1 ? " was" : "s were");
    }
}

/* race_pending.c - were two accesses about to happen at one moment?
 *
 * A thread stands before what it does next. When the earlier of the two happened,
 * the other thread stood before the later one if it did nothing in between. */
#include "question_inner.h"

/* It was not there yet, or did something else first. Marks of where the code is, and
 * of what an access was like, are nothing done; so is the start, which a trace has
 * where the thread does its first thing. */
static bool not_ready(const struct hd_event *event, uint16_t thread) {
    if (event->kind == HD_FORK && event->obj == thread) return true;
    return event->thread == thread && event->kind != HD_ENTER && event->kind != HD_EXIT &&
           event->kind != HD_BEGIN && event->kind != HD_END && event->kind != HD_ESCAPE &&
           event->kind != HD_VALUE && event->kind != HD_START;
}

bool hd_race_pending(struct hd_trace *trace, const struct hd_access *one,
                     const struct hd_access *other, struct hd_error *err) {
    const struct hd_access *first = one->seq < other->seq ? one : other;
    const struct hd_access *second = first == one ? other : one;
    const struct hd_event *events;
    size_t count;
    uint64_t seq = 0;
    if (second->seq == UINT64_MAX || first->thread == second->thread) return false;
    hd_trace_rewind(trace);
    while (seq < second->seq && (events = hd_trace_next(trace, &count, err)) != NULL) {
        for (size_t i = 0; i < count && seq < second->seq; i++, seq++) {
            if (seq > first->seq && not_ready(&events[i], second->thread)) return false;
        }
    }
    return true;
}

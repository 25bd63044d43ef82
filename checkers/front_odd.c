/* front_odd.c - what does not fit in a trace: said once, mended, gone on from.
 *
 * Here is what a single event cannot show: what a thread does after it should have
 * done something else, counts that do not come out, and what only the end of the
 * trace tells. Oddities of one event are noted where it is handled. */
#include "checkers/front_state.h"

void hd_front_odd_begin(struct hd_front *front) {
    uint32_t syncs = front->lock_count - 1;
    front->permits = hd_arena_array(front->arena, syncs, sizeof *front->permits);
    front->left = hd_arena_array(front->arena, syncs, sizeof *front->left);
    front->first = HD_NO_ID;
    for (uint32_t s = 0; s < syncs; s++) {
        uint32_t initial = hd_trace_sync(front->trace, s)->initial;
        front->permits[s] = initial == HD_NO_ID ? 0 : initial;
    }
}

void hd_front_look_closer(struct hd_front *front, uint32_t id, const struct hd_event *event) {
    struct thread *t = &front->threads[id];
    const char *name = hd_trace_thread(front->trace, id);
    if (t->at_barrier && event->kind != HD_BLEAVE) {
        hd_note(front->notes, "thread %s goes on without leaving its barrier", name);
        hd_front_leave_barrier(front, id);
    }
    if (t->waiting && event->kind != HD_WAKE && event->kind != HD_STOP) {
        hd_note(front->notes, "thread %s goes on without waking up from its wait", name);
        t->waiting = false;
    }
    if (t->stopped) {
        hd_note(front->notes, "thread %s goes on after its stop", name);
    } else if (t->joined && event->kind != HD_STOP) {
        hd_note(front->notes, "thread %s goes on after it was joined", name);
    }
    t->odd = t->waiting;
}

void hd_front_odd_semaphore(struct hd_front *front, const struct hd_event *event) {
    int64_t *permits = &front->permits[event->obj];
    if (event->kind == HD_POST) {
        ++*permits;
    } else if (*permits > 0) {
        --*permits;
    } else {
        char name[200];
        hd_note(front->notes,
                "semaphore %s is taken more often than it was posted; counted as having begun "
                "with more",
                hd_trace_sync_name(front->trace, event->obj, name, sizeof name));
    }
}

void hd_front_odd_barrier(struct hd_front *front, const struct hd_event *event) {
    uint64_t *left = &front->left[event->obj];
    if (event->aux == HD_NO_ID) {
        return;
    }
    if (event->kind == HD_BLEAVE) {
        *left = *left > event->aux + 1ull ? *left : event->aux + 1ull;
    } else if (event->aux < *left) {
        char name[200];
        hd_note(front->notes, "thread %s comes to barrier %s after another has left it",
                hd_trace_thread(front->trace, event->thread),
                hd_trace_sync_name(front->trace, event->obj, name, sizeof name));
    }
}

void hd_front_odd_end(struct hd_front *front) {
    for (uint32_t id = 0; id < front->thread_count; id++) {
        const struct thread *t = &front->threads[id];
        const char *name = hd_trace_thread(front->trace, id);
        if (t->joined && !t->started && !t->forked) {
            hd_note(front->notes, "thread %s is joined and never appears", name);
        }
        if (t->started && !t->forked && front->forks && id != front->first) {
            hd_note(front->notes, "thread %s was started by nobody; counted as running from the start",
                    name);
        }
    }
}

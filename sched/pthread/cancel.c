/* cancel.c - asking a thread to end.
 *
 * A request is kept (thread->canceled) until the thread comes to a cancellation
 * point with cancellation enabled, or to any point if its type is asynchronous.
 * Points: join, waits on conditions and semaphores, sleeps, sigwait and its like,
 * what reads, writes, opens, closes or waits for files and processes,
 * pthread_testcancel; not what POSIX only allows to be one (stdio). A blocked thread
 * is called away from what it waits for.
 *
 * Who comes to such a point looks first whether it was canceled, and then, by an
 * operation of its own, does or waits for what it came for: a request in between can
 * end only a wait. (Joins and waits on conditions do not look, as in glibc: there a
 * request ends only a wait in any case.) Whether one has been canceled is a place of its own, so that the
 * order of a request and of the points it could meet is the schedule's choice. The
 * look is a point from when it is known that a request can come before or after it,
 * so that programs without any pay nothing. */
#include "block.h"
#include "state.h"

#include "../count.h"

#include <errno.h>

/* Where the thread is kept by its home, its address stands for the request. */
static bool needs_point(const struct hd_thread *target, bool write, void *pc) {
    const uint16_t *home = &hd_pthread_state()->thread_of[target->home];
    return hd_hidden_point(hd_rt->cancels, home, sizeof *home, write, pc);
}

/* That somebody requests it is known; the request itself is a point in any case. */
static void announce(const struct hd_thread *target, void *pc) {
    struct hd_thread *self = hd_rt->current;
    hd_hidden_known(&hd_rt->cancels);
    hd_collect(self);
    uint64_t events = self->events;
    needs_point(target, true, pc);
    self->events = events;
}

static void call_away(struct hd_thread *target) {
    if (target->cancel_async && hd_cancel_pending(target)) {
        target->interrupted = true;
        if (target != hd_rt->current) {
            hd_note("asynchronous cancellation: threads end between operations, not at every "
                    "instruction");
            hd_rt->incomplete = true;
        }
    }
    hd_called_away(target);
}

HD_TAKEN int pthread_cancel(pthread_t handle) {
    if (!hd_inside()) return ESRCH;
    struct hd_thread *target = hd_handle_find(handle);
    if (!target || (target->state == HD_THREAD_FINISHED && (target->joined || target->detached))) {
        return ESRCH;
    }
    announce(target, HD_PC());
    hd_step(HD_NONE, &hd_pthread_of(target)->cancel, HD_MODE_WRITE, HD_PC());
    if (target->state == HD_THREAD_FINISHED || target->canceled) return 0;
    target->canceled = true;
    call_away(target);
    if (target == hd_rt->current && target->interrupted) hd_interrupt_run(target);
    return 0;
}

void hd_cancel_now(void) { hd_thread_unwind(PTHREAD_CANCELED); }

void hd_cancel_look(struct hd_thread *self) {
    hd_touch(&hd_pthread_of(self)->cancel, HD_MODE_READ);
}

bool hd_cancel_due(void *pc) {
    struct hd_thread *self = hd_rt->current;
    if (needs_point(self, false, pc)) {
        hd_step(HD_NONE, &hd_pthread_of(self)->cancel, HD_MODE_READ, pc);
    }
    return hd_cancel_pending(self);
}

void hd_cancel_point(void *pc) {
    if (hd_inside() && hd_cancel_due(pc)) hd_cancel_now();
}

HD_TAKEN void pthread_testcancel(void) {
    if (!hd_inside()) return;
    struct hd_thread *self = hd_rt->current;
    hd_step(HD_NONE, &hd_pthread_of(self)->cancel, HD_MODE_READ, HD_PC());
    if (hd_cancel_pending(self)) hd_cancel_now();
}

/* A change of state or type may be what an asynchronous request waited for; later ones
 * meet any of its operations. */
static void change(struct hd_thread *self, void *pc) {
    bool any_time = self->cancel_async && !self->cancel_disabled;
    self->looks = hd_rt->signals || (hd_rt->cancels && any_time);
    if (any_time && hd_cancel_due(pc)) hd_cancel_now();
}

HD_TAKEN int pthread_setcancelstate(int state, int *old) {
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) return EINVAL;
    struct hd_thread *self = hd_inside() ? hd_rt->current : NULL;
    if (old) {
        *old = self && self->cancel_disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
    }
    if (!self) return 0;
    self->cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
    change(self, HD_PC());
    return 0;
}

HD_TAKEN int pthread_setcanceltype(int type, int *old) {
    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
    struct hd_thread *self = hd_inside() ? hd_rt->current : NULL;
    if (old) {
        *old = self && self->cancel_async ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
    }
    if (!self) return 0;
    self->cancel_async = type == PTHREAD_CANCEL_ASYNCHRONOUS;
    change(self, HD_PC());
    return 0;
}

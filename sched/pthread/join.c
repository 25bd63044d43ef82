/* join.c - waiting for a thread's end, or giving that up.
 *
 * A thread is joinable, then joined or detached, once. Everything else that
 * POSIX leaves undefined (joining twice, joining what is detached, a handle
 * that names no thread) is misuse. */
#include "block.h"
#include "state.h"

#include "../libc/hold.h"

#include <errno.h>

static bool ended(struct hd_thread *thread, void *argument) {
    (void)thread;
    return ((const struct hd_thread *)argument)->state == HD_THREAD_FINISHED;
}

static void misused(const struct hd_thread *target, const char *verb, const char *why, void *pc) {
    char self[128], other[128];
    hd_thread_name(hd_rt->current, self, sizeof self);
    if (!target) {
        hd_failure(HD_FAIL_MISUSE, pc, "thread %s %s something that is not a thread", self, verb);
    }
    hd_failure(HD_FAIL_MISUSE, pc, "thread %s %s thread %s, %s", self, verb,
               hd_thread_name(target, other, sizeof other), why);
}

/* The thread, if it can still be joined or detached. */
static struct hd_thread *joinable(pthread_t handle, const char *verb, void *pc) {
    struct hd_thread *target = hd_handle_find(handle);
    if (!target) misused(NULL, verb, "", pc);
    if (target->detached) misused(target, verb, "which is detached", pc);
    if (target->joined) misused(target, verb, "which has been joined before", pc);
    return target;
}

int hd_thread_join(pthread_t handle, void **result, uint64_t deadline, bool wait, void *pc) {
    if (!hd_inside()) return ESRCH;
    struct hd_thread *self = hd_rt->current;
    struct hd_thread *target = joinable(handle, "joins", pc);
    struct hd_pthread *theirs = hd_pthread_of(target);
    if (theirs->joiner && theirs->joiner != self) {
        misused(target, "joins", "for which another thread already waits", pc);
    }
    if (target == self || hd_pthread_of(self)->joiner == target) return EDEADLK;
    if (!wait) {
        hd_step(HD_JOIN, &target->end, HD_MODE_READ, pc);
        if (target->state != HD_THREAD_FINISHED) return EBUSY;
    } else {
        theirs->joiner = self;
        enum hd_wake how = hd_block(HD_JOIN, &target->end, HD_MODE_READ, pc, ended, target,
                                    deadline, HD_CANCELABLE | HD_WAITS_FIRST);
        theirs->joiner = NULL;
        if (how == HD_CANCELED) hd_cancel_now();
        if (how == HD_TIMED_OUT) return ETIMEDOUT;
    }
    joinable(handle, "joins", pc); /* somebody may have detached it meanwhile */
    target->joined = true;
    hd_clock_drop(&target->clock); /* nobody will meet it again */
    hd_clock_drop(&target->end.wrote);
    hd_clock_drop(&target->end.touched);
    if (result) *result = target->result;
    hd_record_plain(HD_JOIN, target->id, 0, 0, pc);
    return 0;
}

static int join(pthread_t handle, void **result, uint64_t deadline, bool wait, void *pc) {
    void *value = NULL;
    int rc = hd_thread_join(handle, &value, deadline, wait, pc);
    if (rc == 0 && result) hd_give(result, &value, sizeof value, pc);
    return rc;
}

HD_TAKEN int pthread_join(pthread_t handle, void **result) {
    return join(handle, result, HD_NEVER, true, HD_PC());
}

HD_TAKEN int pthread_tryjoin_np(pthread_t handle, void **result) {
    return join(handle, result, HD_NEVER, false, HD_PC());
}

static int join_until(pthread_t handle, void **result, clockid_t clock,
                      const struct timespec *until, void *pc) {
    uint64_t deadline = HD_NEVER;
    if (until && hd_deadline(clock, until, &deadline, pc) != 0) return EINVAL;
    return join(handle, result, deadline, true, pc);
}

HD_TAKEN int pthread_timedjoin_np(pthread_t handle, void **result, const struct timespec *until) {
    return join_until(handle, result, CLOCK_REALTIME, until, HD_PC());
}

HD_TAKEN int pthread_clockjoin_np(pthread_t handle, void **result, clockid_t clock,
                                  const struct timespec *until) {
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return EINVAL;
    return join_until(handle, result, clock, until, HD_PC());
}

HD_TAKEN int pthread_detach(pthread_t handle) {
    if (!hd_inside()) return ESRCH;
    joinable(handle, "detaches", HD_PC())->detached = true;
    return 0;
}

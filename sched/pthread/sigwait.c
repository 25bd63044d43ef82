/* sigwait.c - waiting for signals instead of being interrupted by them.
 *
 * A thread waits at its own mailbox (the place that hd_signal_send writes). */
#include "signal.h"

#include <errno.h>
#include <unistd.h>

struct wish {
    struct hd_thread *thread;
    uint64_t wanted;
};

static bool came(struct hd_thread *thread, void *argument) {
    const struct wish *wish = argument;
    (void)thread;
    const struct hd_pthread *mine = wish->thread->pthread;
    return ((mine->pending | hd_pthread_state()->process_pending) & wish->wanted) != 0;
}

/* The signal's number, or -1 and errno. */
static int wait_for(uint64_t wanted, siginfo_t *info, uint64_t deadline, unsigned flags, void *pc) {
    if (!hd_inside()) {
        errno = EINTR;
        return -1;
    }
    struct hd_thread *self = hd_rt->current;
    struct hd_pthread *mine = hd_pthread_of(self);
    struct wish wish = {self, wanted};
    mine->wanted = wanted;
    enum hd_wake how = hd_block(HD_PEND, &mine->cancel, HD_MODE_READ, pc, came, &wish, deadline,
                                flags | HD_CANCELABLE);
    mine->wanted = 0;
    if (how == HD_CANCELED) hd_cancel_now();
    if (how == HD_READY) return hd_signal_take(self, wanted, info);
    errno = how == HD_TIMED_OUT ? EAGAIN : EINTR;
    return -1;
}

HD_TAKEN int sigwait(const sigset_t *set, int *number) {
    int found = wait_for(hd_signal_bits(set), NULL, HD_NEVER, 0, HD_PC());
    if (found < 0) return errno;
    *number = found;
    return 0;
}

HD_TAKEN int sigwaitinfo(const sigset_t *set, siginfo_t *info) {
    return wait_for(hd_signal_bits(set), info, HD_NEVER, HD_UNRESTARTED, HD_PC());
}

HD_TAKEN int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *span) {
    uint64_t deadline = HD_NEVER;
    if (hd_booted && span && hd_deadline_in(span, &deadline, HD_PC()) != 0) {
        errno = EINVAL;
        return -1;
    }
    return wait_for(hd_signal_bits(set), info, deadline, HD_UNRESTARTED, HD_PC());
}

/* Until a handler has run; with another mask meanwhile, if there is one. */
static int until_handled(const sigset_t *set, void *pc) {
    errno = EINTR;
    if (!hd_inside()) return -1;
    struct hd_thread *self = hd_rt->current;
    struct hd_pthread *mine = hd_pthread_of(self);
    uint64_t before = mine->mask;
    if (set) hd_signal_mask_meanwhile(self, hd_signal_bits(set));
    enum hd_wake how = hd_block(HD_PEND, &mine->cancel, HD_MODE_READ, pc, NULL, NULL, HD_NEVER,
                                HD_CANCELABLE | HD_UNRESTARTED | (set ? HD_OTHER_MASK : 0));
    mine->mask = before;
    if (how == HD_CANCELED) hd_cancel_now();
    errno = EINTR;
    return -1;
}

HD_TAKEN int sigsuspend(const sigset_t *set) { return until_handled(set, HD_PC()); }

HD_TAKEN int pause(void) { return until_handled(NULL, HD_PC()); }

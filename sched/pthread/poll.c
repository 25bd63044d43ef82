/* poll.c - poll and select: as sleeps where they are used as such, else let
 * through.
 *
 * Without descriptors they only let time pass, which is virtual. With some,
 * the kernel is asked without waiting; if it has nothing, the thread waits in
 * virtual time for as long as the call allows, others run, and it asks again
 * whenever one of them has used a file (HD_KEY_FILES). */
#include "block.h"
#include "kernel.h"
#include "state.h"

#include <errno.h>
#include <poll.h>
#include <sys/select.h>
#include <sys/syscall.h>

static long ask_poll(struct pollfd *set, nfds_t count) {
    struct timespec none = {0, 0};
    return hd_kernel(SYS_ppoll, (long)set, (long)count, (long)&none, 0, 0, 0);
}

struct polled {
    struct pollfd *set;
    nfds_t count;
};

static bool poll_ready(struct hd_thread *thread, void *argument) {
    (void)thread;
    const struct polled *polled = argument;
    return polled->count > 0 && ask_poll(polled->set, polled->count) != 0;
}

static int answer(long result) {
    if (result >= 0) return (int)result;
    errno = (int)-result;
    return -1;
}

/* -1: interrupted. */
static int wait_for(bool (*ready)(struct hd_thread *, void *), void *argument,
                    const struct timespec *span, void *pc) {
    uint64_t deadline = HD_NEVER;
    if (span && hd_deadline_in(span, &deadline, pc) != 0) deadline = hd_now();
    struct hd_place *place = hd_pseudo(ready ? HD_KEY_FILES : HD_KEY_TIME);
    switch (hd_block(HD_SLEEP, place, HD_MODE_WRITE, pc, ready, argument, deadline,
                     HD_CANCELABLE | HD_INTERRUPTIBLE)) {
    case HD_CANCELED: hd_cancel_now();
    case HD_INTERRUPTED: errno = EINTR; return -1;
    case HD_READY:
    case HD_TIMED_OUT: break;
    }
    return 0;
}

HD_TAKEN int poll(struct pollfd *set, nfds_t count, int timeout) {
    struct timespec span = {timeout / 1000, (long)(timeout % 1000) * 1000000};
    if (!hd_inside()) {
        return answer(hd_kernel(SYS_ppoll, (long)set, (long)count, timeout < 0 ? 0 : (long)&span,
                                0, 0, 0));
    }
    if (timeout == 0) {
        hd_step(HD_NONE, hd_pseudo(HD_KEY_FILES), HD_MODE_READ, HD_PC());
        return answer(ask_poll(set, count));
    }
    struct polled polled = {set, count};
    if (wait_for(count ? poll_ready : NULL, &polled, timeout < 0 ? NULL : &span, HD_PC()) < 0) {
        return -1;
    }
    return count ? answer(ask_poll(set, count)) : 0;
}

struct selected {
    int count;
    fd_set *in, *out, *except;
};

/* The sets are changed only if `keep` says so. */
static long ask_select(const struct selected *s, bool keep) {
    fd_set copy[3], *sets[3] = {s->in, s->out, s->except};
    struct timespec none = {0, 0};
    long given[3];
    for (int i = 0; i < 3; i++) {
        if (sets[i] && !keep) copy[i] = *sets[i];
        given[i] = !sets[i] ? 0 : keep ? (long)sets[i] : (long)&copy[i];
    }
    return hd_kernel(SYS_pselect6, s->count, given[0], given[1], given[2], (long)&none, 0);
}

static bool select_ready(struct hd_thread *thread, void *argument) {
    (void)thread;
    return ask_select(argument, false) != 0;
}

HD_TAKEN int select(int count, fd_set *in, fd_set *out, fd_set *except, struct timeval *timeout) {
    struct timespec span = {0, 0};
    if (timeout) span = (struct timespec){timeout->tv_sec, (long)timeout->tv_usec * 1000};
    struct selected selected = {count, in, out, except};
    if (!hd_inside()) {
        return answer(hd_kernel(SYS_pselect6, count, (long)in, (long)out, (long)except,
                                timeout ? (long)&span : 0, 0));
    }
    if (timeout && span.tv_sec == 0 && span.tv_nsec == 0) {
        hd_step(HD_NONE, hd_pseudo(HD_KEY_FILES), HD_MODE_READ, HD_PC());
        return answer(ask_select(&selected, true));
    }
    bool any = count > 0 && (in || out || except);
    if (wait_for(any ? select_ready : NULL, &selected, timeout ? &span : NULL, HD_PC()) < 0) {
        return -1;
    }
    return any ? answer(ask_select(&selected, true)) : 0;
}

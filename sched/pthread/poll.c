/* poll.c - poll, select, epoll: sleeps where they are used as such, else waits
 * for descriptors.
 *
 * Without descriptors they only let time pass, which is virtual. With some,
 * the kernel is asked without waiting; if it has nothing, the thread waits in
 * virtual time for as long as the call allows, others run, and it asks again
 * whenever one of them has used a file (HD_KEY_FILES). */
#include "../libc/files.h"
#include "kernel.h"
#include "signal.h"

#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
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

/* A signal that was pending and is not blocked any more: its handler ends the wait,
 * unless there is nothing to wait for. That is looked at first, by an operation of its
 * own, before which the handler must not run. */
static bool handled(bool (*ready)(struct hd_thread *, void *), void *argument, void *pc) {
    struct hd_thread *self = hd_rt->current;
    if (!self->interrupted) return false;
    if (ready) {
        self->interrupted = false;
        hd_cancel_point(pc);
        hd_step(HD_NONE, hd_pseudo(HD_KEY_FILES), HD_MODE_READ, pc);
        self->interrupted = true;
        if (ready(self, argument)) return false;
    }
    return hd_interrupt_run(self) != HD_NOT_HANDLED;
}

/* -1: interrupted. */
static int wait_for(bool (*ready)(struct hd_thread *, void *), void *argument,
                    uint64_t deadline, bool masked, struct hd_outside *outside, void *pc) {
    struct hd_place *place = hd_pseudo(ready ? HD_KEY_FILES : HD_KEY_TIME);
    enum hd_wake how = HD_INTERRUPTED;
    if (!masked || !handled(ready, argument, pc)) {
        how = hd_block(HD_SLEEP, place, HD_MODE_WRITE, pc, ready, argument, deadline,
                       HD_CANCELABLE | HD_UNRESTARTED | (masked ? HD_OTHER_MASK : 0));
    }
    if (outside) hd_files_awaited(outside);
    switch (how) {
    case HD_CANCELED: hd_cancel_now();
    case HD_INTERRUPTED: errno = EINTR; return -1;
    case HD_READY:
    case HD_TIMED_OUT: break;
    }
    return 0;
}

/* Ask the kernel at once; wait for as long as `span` says (NULL: for ever); ask
 * again. With another mask of signals meanwhile, if there is one. */
static int ask_and_wait(long (*ask)(void *), bool (*ready)(struct hd_thread *, void *),
                        void *argument, const struct timespec *span, const sigset_t *mask,
                        struct hd_outside *outside, void *pc) {
    if (ready && span && span->tv_sec == 0 && span->tv_nsec == 0) {
        hd_cancel_point(pc);
        hd_step(HD_NONE, hd_pseudo(HD_KEY_FILES), HD_MODE_READ, pc);
        return answer(ask(argument));
    }
    struct hd_thread *self = hd_rt->current;
    uint64_t deadline = HD_NEVER;
    if (span && hd_deadline_in(span, &deadline, pc) != 0) deadline = hd_now();
    uint64_t before = mask ? hd_signal_mask_meanwhile(self, hd_signal_bits(mask)) : 0;
    int rc = wait_for(ready, argument, deadline, mask != NULL, outside, pc);
    if (rc == 0 && ready) rc = answer(ask(argument));
    if (mask) {
        int saved = errno;
        hd_signal_mask(self, before);
        errno = saved;
    }
    return rc;
}

/* ---- poll ------------------------------------------------------------------- */

static long ask_polled(void *argument) {
    const struct polled *polled = argument;
    return ask_poll(polled->set, polled->count);
}

static int poll_for(struct pollfd *set, nfds_t count, const struct timespec *span,
                    const sigset_t *mask, void *pc) {
    if (!hd_inside()) {
        return answer(hd_kernel(SYS_ppoll, (long)set, (long)count, (long)span, (long)mask, 8, 0));
    }
    struct polled polled = {set, count};
    struct hd_outside *outside = span ? NULL : hd_files_await(set, count);
    return ask_and_wait(ask_polled, count ? poll_ready : NULL, &polled, span, mask, outside, pc);
}

HD_TAKEN int poll(struct pollfd *set, nfds_t count, int timeout) {
    struct timespec span = {timeout / 1000, (long)(timeout % 1000) * 1000000};
    return poll_for(set, count, timeout < 0 ? NULL : &span, NULL, HD_PC());
}

HD_TAKEN int ppoll(struct pollfd *set, nfds_t count, const struct timespec *span,
                   const sigset_t *mask) {
    return poll_for(set, count, span, mask, HD_PC());
}

/* ---- epoll ------------------------------------------------------------------ */

struct epolled {
    int epoll, count;
    struct epoll_event *events;
};

static long ask_epolled(void *argument) {
    const struct epolled *e = argument;
    return hd_kernel(SYS_epoll_pwait, e->epoll, (long)e->events, e->count, 0, 0, 8);
}

/* Asking takes events that are reported once: look at the descriptor instead. */
static bool epoll_ready(struct hd_thread *thread, void *argument) {
    (void)thread;
    const struct epolled *e = argument;
    struct pollfd in = {e->epoll, POLLIN, 0};
    return ask_poll(&in, 1) != 0;
}

static int epoll_for(struct epolled *epolled, int timeout, const sigset_t *mask, void *pc) {
    struct timespec span = {timeout / 1000, (long)(timeout % 1000) * 1000000};
    if (!hd_inside()) {
        return answer(hd_kernel(SYS_epoll_pwait, epolled->epoll, (long)epolled->events,
                                epolled->count, timeout, (long)mask, 8));
    }
    /* What it watches is the kernel's to know: it may come from outside. */
    struct pollfd in = {epolled->epoll, POLLIN, 0};
    struct hd_outside *outside = timeout < 0 ? hd_files_await(&in, 1) : NULL;
    return ask_and_wait(ask_epolled, epoll_ready, epolled, timeout < 0 ? NULL : &span, mask,
                        outside, pc);
}

HD_TAKEN int epoll_wait(int epoll, struct epoll_event *events, int count, int timeout) {
    struct epolled epolled = {epoll, count, events};
    return epoll_for(&epolled, timeout, NULL, HD_PC());
}

HD_TAKEN int epoll_pwait(int epoll, struct epoll_event *events, int count, int timeout,
                         const sigset_t *mask) {
    struct epolled epolled = {epoll, count, events};
    return epoll_for(&epolled, timeout, mask, HD_PC());
}

/* ---- select ----------------------------------------------------------------- */

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

static long ask_selected(void *argument) { return ask_select(argument, true); }

static int select_for(struct selected *selected, const struct timespec *span,
                      const sigset_t *mask, void *pc) {
    if (!hd_inside()) {
        struct timespec copy = span ? *span : (struct timespec){0, 0};
        struct {
            const sigset_t *mask;
            size_t size;
        } given = {mask, 8};
        return answer(hd_kernel(SYS_pselect6, selected->count, (long)selected->in,
                                (long)selected->out, (long)selected->except,
                                span ? (long)&copy : 0, (long)&given));
    }
    bool any = selected->count > 0 && (selected->in || selected->out || selected->except);
    struct pollfd set[FD_SETSIZE];
    size_t count = 0;
    for (int fd = 0; !span && fd < selected->count && fd < FD_SETSIZE; fd++) {
        short events = 0;
        if (selected->in && FD_ISSET(fd, selected->in)) events |= POLLIN;
        if (selected->out && FD_ISSET(fd, selected->out)) events |= POLLOUT;
        if (selected->except && FD_ISSET(fd, selected->except)) events |= POLLPRI;
        if (events) set[count++] = (struct pollfd){fd, events, 0};
    }
    struct hd_outside *outside = count ? hd_files_await(set, count) : NULL;
    return ask_and_wait(ask_selected, any ? select_ready : NULL, selected, span, mask, outside, pc);
}

HD_TAKEN int select(int count, fd_set *in, fd_set *out, fd_set *except, struct timeval *timeout) {
    struct timespec span = {0, 0};
    if (timeout) span = (struct timespec){timeout->tv_sec, (long)timeout->tv_usec * 1000};
    struct selected selected = {count, in, out, except};
    return select_for(&selected, timeout ? &span : NULL, NULL, HD_PC());
}

HD_TAKEN int pselect(int count, fd_set *in, fd_set *out, fd_set *except,
                     const struct timespec *span, const sigset_t *mask) {
    struct selected selected = {count, in, out, except};
    return select_for(&selected, span, mask, HD_PC());
}

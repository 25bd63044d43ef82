/* timer.c - timers that send signals: accepted, never fire.
 *
 * A signal at a moment of real time could come anywhere in any schedule; there
 * is no virtual moment at which it would have to. Said in a note. Where a handler would
 * have run, no search is complete; threads that stand still where such a signal could have
 * helped are no deadlock (stuck.c). One that would end the process is a watchdog, which a
 * program that goes on does not meet. */
#include "signal.h"

#include "../real.h"
#include "kernel.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

/* One is set that would send this signal; 0: that would start a thread. */
static void set(int number) {
    hd_note("signal timers are not modelled: they never fire");
    if (hd_rt->timers.generation != hd_rt->generation) {
        hd_rt->timers.generation = hd_rt->generation;
        hd_rt->timers.thread = false;
        hd_rt->timers.signals = 0;
    }
    if (number > 0 && number <= 64) hd_rt->timers.signals |= 1UL << (number - 1);
    else hd_rt->timers.thread = true;
    if (hd_inside() && hd_timers_matter()) hd_rt->incomplete = true;
}

bool hd_timers_matter(void) {
    if (hd_rt->timers.generation != hd_rt->generation) return false;
    if (hd_rt->timers.thread) return true;
    const struct hd_pthread *mine = hd_rt->current ? hd_rt->current->pthread : NULL;
    if (mine && (mine->mask & hd_rt->timers.signals)) return true; /* to be waited for */
    for (uint64_t rest = hd_rt->timers.signals; rest; rest &= rest - 1) {
        struct sigaction action;
        if (hd_rt->real.sigaction(__builtin_ctzl(rest) + 1, NULL, &action) != 0) continue;
        if (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN) return true;
    }
    return false;
}

HD_TAKEN unsigned alarm(unsigned seconds) {
    if (hd_booted && seconds) set(SIGALRM);
    return 0;
}

HD_TAKEN useconds_t ualarm(useconds_t value, useconds_t interval) {
    (void)interval;
    if (hd_booted && value) set(SIGALRM);
    return 0;
}

HD_TAKEN int setitimer(__itimer_which_t which, const struct itimerval *value,
                       struct itimerval *old) {
    if (!hd_inside()) { /* heddle's own watchdog */
        return (int)hd_kernel(SYS_setitimer, which, (long)value, (long)old, 0, 0, 0);
    }
    if (old) *old = (struct itimerval){{0, 0}, {0, 0}};
    if (!value || (value->it_value.tv_sec == 0 && value->it_value.tv_usec == 0)) return 0;
    set(which == ITIMER_REAL ? SIGALRM : which == ITIMER_VIRTUAL ? SIGVTALRM : SIGPROF);
    return 0;
}

HD_TAKEN int timer_create(clockid_t clock, struct sigevent *event, timer_t *out) {
    (void)clock;
    bool thread = event && event->sigev_notify == SIGEV_THREAD;
    if (thread && hd_booted) hd_note("a timer with SIGEV_THREAD never starts its thread");
    bool silent = event && event->sigev_notify == SIGEV_NONE;
    if (hd_booted && !silent) set(thread ? 0 : event ? event->sigev_signo : SIGALRM);
    *out = (timer_t)1;
    return 0;
}

HD_TAKEN int timer_settime(timer_t timer, int flags, const struct itimerspec *value,
                           struct itimerspec *old) {
    (void)timer;
    (void)flags;
    (void)value;
    if (old) *old = (struct itimerspec){{0, 0}, {0, 0}};
    return 0;
}

HD_TAKEN int timer_gettime(timer_t timer, struct itimerspec *out) {
    (void)timer;
    *out = (struct itimerspec){{0, 0}, {0, 0}};
    return 0;
}

HD_TAKEN int timer_delete(timer_t timer) {
    (void)timer;
    return 0;
}

HD_TAKEN int timer_getoverrun(timer_t timer) {
    (void)timer;
    return 0;
}

/* timer.c - timers that send signals: accepted, never fire.
 *
 * A signal at a moment of real time could come anywhere in any schedule; there
 * is no virtual moment at which it would have to. Said in a note. */
#include "block.h"

#include "../real.h"
#include "kernel.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

static void say_so(void) { hd_note("signal timers are not modelled: they never fire"); }

HD_TAKEN unsigned alarm(unsigned seconds) {
    if (hd_booted && seconds) say_so();
    return 0;
}

HD_TAKEN useconds_t ualarm(useconds_t value, useconds_t interval) {
    (void)interval;
    if (hd_booted && value) say_so();
    return 0;
}

HD_TAKEN int setitimer(__itimer_which_t which, const struct itimerval *value,
                       struct itimerval *old) {
    if (!hd_inside()) { /* heddle's own watchdog */
        return (int)hd_kernel(SYS_setitimer, which, (long)value, (long)old, 0, 0, 0);
    }
    if (old) *old = (struct itimerval){{0, 0}, {0, 0}};
    say_so();
    return 0;
}

HD_TAKEN int timer_create(clockid_t clock, struct sigevent *event, timer_t *out) {
    (void)clock;
    if (event && event->sigev_notify == SIGEV_THREAD && hd_booted) {
        hd_note("a timer with SIGEV_THREAD never starts its thread");
    }
    if (hd_booted) say_so();
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

/* sleep.c - sleeping: nobody waits, the virtual clock moves.
 *
 * A sleep ends when the schedule lets its deadline pass, which it may do while
 * others could still run; earlier deadlines pass first. */
#include "block.h"
#include "state.h"

#include "../libc/hold.h"

#include <errno.h>
#include <threads.h>
#include <unistd.h>

#define SECOND 1000000000UL

int hd_sleep_until(uint64_t deadline, void *pc) {
    if (!hd_inside()) return 0;
    switch (hd_block(HD_SLEEP, hd_pseudo(HD_KEY_TIME), HD_MODE_WRITE, pc, NULL, NULL, deadline,
                     HD_CANCELABLE | HD_INTERRUPTIBLE)) {
    case HD_CANCELED: hd_cancel_now();
    case HD_INTERRUPTED: return EINTR;
    case HD_READY:
    case HD_TIMED_OUT: break;
    }
    hd_record_plain(HD_SLEEP, 0, 0, 0, pc);
    return 0;
}

static uint64_t left_until(uint64_t deadline) {
    return deadline > hd_now() ? deadline - hd_now() : 0;
}

/* 0, EINTR with what is left, or EINVAL. */
static int sleep_for(const struct timespec *span, struct timespec *left, void *pc) {
    uint64_t deadline;
    if (!hd_booted) return 0;
    if (hd_deadline_in(span, &deadline, pc) != 0) return EINVAL;
    int rc = hd_sleep_until(deadline, pc);
    if (rc == EINTR && left) {
        uint64_t rest = left_until(deadline);
        struct timespec value = {(time_t)(rest / SECOND), (long)(rest % SECOND)};
        hd_give(left, &value, sizeof value, pc);
    }
    return rc;
}

static int in_errno(int error) {
    if (error == 0) return 0;
    errno = error;
    return -1;
}

HD_TAKEN int nanosleep(const struct timespec *span, struct timespec *left) {
    return in_errno(sleep_for(hd_take(span, sizeof *span, HD_PC()), left, HD_PC()));
}

HD_TAKEN int clock_nanosleep(clockid_t clock, int flags, const struct timespec *request,
                             struct timespec *left) {
    if (clock == CLOCK_THREAD_CPUTIME_ID || clock < 0 || clock > CLOCK_TAI) return EINVAL;
    if (!(flags & TIMER_ABSTIME)) {
        return sleep_for(hd_take(request, sizeof *request, HD_PC()), left, HD_PC());
    }
    uint64_t deadline;
    if (hd_deadline(clock, request, &deadline, HD_PC()) != 0) return EINVAL;
    if (hd_inside()) hd_step(HD_NONE, hd_pseudo(HD_KEY_TIME), HD_MODE_READ, HD_PC());
    return hd_sleep_until(deadline, HD_PC());
}

HD_TAKEN unsigned sleep(unsigned seconds) {
    struct timespec span = {(time_t)seconds, 0};
    uint64_t deadline;
    if (!hd_booted || hd_deadline_in(&span, &deadline, HD_PC()) != 0) return 0;
    if (hd_sleep_until(deadline, HD_PC()) != EINTR) return 0;
    uint64_t rest = left_until(deadline);
    return rest ? (unsigned)((rest - 1) / SECOND) : 0; /* whole ones: a moment has passed */
}

HD_TAKEN int usleep(useconds_t microseconds) {
    struct timespec span = {(time_t)(microseconds / 1000000),
                            (long)(microseconds % 1000000) * 1000};
    return in_errno(sleep_for(&span, NULL, HD_PC()));
}

HD_TAKEN int thrd_sleep(const struct timespec *span, struct timespec *left) {
    int rc = sleep_for(span, left, HD_PC());
    return rc == 0 ? 0 : rc == EINTR ? -1 : -2;
}

HD_ALIAS(__nanosleep, nanosleep);

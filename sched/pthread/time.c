/* time.c - reading the clocks.
 *
 * Time is virtual: it stands still while threads compute and moves when a sleep
 * or a timed wait ends. Every clock shows it; CLOCK_REALTIME and its like count
 * from 2000-01-01. Reading a clock is a read of the place that ends of sleeps
 * write.
 *
 * A loop that does nothing but read the clock until it shows what it wants
 * would never end; so a thread that reads it again and again with next to
 * nothing in between moves it. */
#include "block.h"
#include "state.h"

#include "../libc/hold.h"

#include <errno.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

#define SECOND 1000000000UL
#define LATEST (HD_NEVER - 1)

enum { BUSY_READS = 100, BUSY_STEP = 1000000, BUSY_APART = 4 };

/* Nanoseconds since the start, for somebody in the program who asks. */
static uint64_t read_clock(void *pc) {
    if (!hd_booted) return 0;
    if (!hd_inside()) return hd_now();
    struct hd_thread *self = hd_rt->current;
    struct hd_pthread *mine = hd_pthread_of(self);
    hd_step(HD_NONE, hd_pseudo(HD_KEY_TIME), HD_MODE_READ, pc);
    mine->clock_reads = self->epoch - mine->clock_epoch <= BUSY_APART ? mine->clock_reads + 1 : 0;
    mine->clock_epoch = self->epoch;
    if (mine->clock_reads >= BUSY_READS) {
        hd_touch(hd_pseudo(HD_KEY_TIME), HD_MODE_WRITE);
        hd_rt->now += BUSY_STEP;
    }
    return hd_now();
}

static bool counts_from_epoch(clockid_t clock) {
    return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI ||
           clock == CLOCK_REALTIME_ALARM;
}

int hd_deadline(clockid_t clock, const struct timespec *at, uint64_t *out, void *pc) {
    at = hd_take(at, sizeof *at, pc);
    if (at->tv_nsec < 0 || at->tv_nsec >= (long)SECOND) return EINVAL;
    int64_t seconds = at->tv_sec;
    if (counts_from_epoch(clock)) {
        if (__builtin_sub_overflow(seconds, (int64_t)HD_EPOCH, &seconds)) seconds = -1;
    }
    if (seconds < 0) *out = 0;
    else if ((uint64_t)seconds >= LATEST / SECOND) *out = LATEST;
    else *out = (uint64_t)seconds * SECOND + (uint64_t)at->tv_nsec;
    return 0;
}

int hd_deadline_in(const struct timespec *given, uint64_t *out, void *pc) {
    const struct timespec kept = *given, *span = &kept; /* others may change it meanwhile */
    if (span->tv_nsec < 0 || span->tv_nsec >= (long)SECOND || span->tv_sec < 0) return EINVAL;
    if (hd_inside()) hd_point(HD_NONE, hd_pseudo(HD_KEY_TIME), HD_MODE_READ, pc);
    uint64_t from = hd_now();
    if ((uint64_t)span->tv_sec >= (LATEST - from) / SECOND - 1) *out = LATEST;
    else *out = from + (uint64_t)span->tv_sec * SECOND + (uint64_t)span->tv_nsec;
    return 0;
}

static struct timespec split(uint64_t now, bool from_epoch) {
    return (struct timespec){.tv_sec = (time_t)(now / SECOND + (from_epoch ? HD_EPOCH : 0)),
                             .tv_nsec = (long)(now % SECOND)};
}

/* The clocks of Linux 0 to 11, and those of processes and threads by number,
 * which are negative. */
static bool is_clock(clockid_t clock) { return clock < 0 || (clock <= CLOCK_TAI && clock != 10); }

HD_TAKEN int clock_gettime(clockid_t clock, struct timespec *out) {
    if (!is_clock(clock)) {
        errno = EINVAL;
        return -1;
    }
    struct timespec now = split(read_clock(HD_PC()), counts_from_epoch(clock));
    hd_give(out, &now, sizeof now, HD_PC());
    return 0;
}

HD_TAKEN int clock_getres(clockid_t clock, struct timespec *out) {
    if (!is_clock(clock)) {
        errno = EINVAL;
        return -1;
    }
    if (out) *out = (struct timespec){0, 1};
    return 0;
}

HD_TAKEN int clock_settime(clockid_t clock, const struct timespec *value) {
    (void)clock;
    (void)value;
    errno = EPERM; /* as for every program without privileges */
    return -1;
}

HD_TAKEN int gettimeofday(struct timeval *out, void *zone) {
    struct timespec now = split(read_clock(HD_PC()), true);
    if (zone) *(struct timezone *)zone = (struct timezone){0, 0};
    struct timeval value = {now.tv_sec, now.tv_nsec / 1000};
    hd_give(out, &value, sizeof value, HD_PC());
    return 0;
}

HD_TAKEN time_t time(time_t *out) {
    time_t now = split(read_clock(HD_PC()), true).tv_sec;
    if (out) hd_give(out, &now, sizeof now, HD_PC());
    return now;
}

HD_TAKEN int timespec_get(struct timespec *out, int base) {
    if (base != TIME_UTC) return 0;
    struct timespec now = split(read_clock(HD_PC()), true);
    hd_give(out, &now, sizeof now, HD_PC());
    return base;
}

HD_TAKEN clock_t clock(void) { return (clock_t)(read_clock(HD_PC()) / (SECOND / CLOCKS_PER_SEC)); }

HD_TAKEN clock_t times(struct tms *out) {
    clock_t ticks = (clock_t)(read_clock(HD_PC()) / (SECOND / 100));
    struct tms value = {.tms_utime = ticks};
    if (out) hd_give(out, &value, sizeof value, HD_PC());
    return ticks;
}

HD_TAKEN int pthread_getcpuclockid(pthread_t handle, clockid_t *out) {
    if (hd_inside() && !hd_handle_find(handle)) return ESRCH;
    *out = CLOCK_THREAD_CPUTIME_ID;
    return 0;
}

HD_TAKEN int clock_getcpuclockid(pid_t process, clockid_t *out) {
    if (process != 0 && process != getpid()) return ESRCH;
    *out = CLOCK_PROCESS_CPUTIME_ID;
    return 0;
}

HD_ALIAS(__clock_gettime, clock_gettime);
HD_ALIAS(__gettimeofday, gettimeofday);

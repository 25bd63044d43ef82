/* time.c - virtual time: a program that sleeps for years ends at once. */
#include "check.h"

#include <poll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/times.h>

static long now(void) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return at.tv_sec;
}

static int order[3], count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *nap(void *arg) {
    sleep((unsigned)(long)arg);
    pthread_mutex_lock(&mutex);
    order[count++] = (int)(long)arg;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void) {
    struct timespec span = {3600, 0}, at;
    long before = now();
    EQ("nanosleep", 0, nanosleep(&span, NULL));
    EQ("an_hour", 3600, now() - before);
    span.tv_nsec = 1000000000;
    FAILS("nanosleep_bad", EINVAL, nanosleep(&span, NULL));
    span = (struct timespec){-1, 0};
    FAILS("nanosleep_negative", EINVAL, nanosleep(&span, NULL));
    before = now();
    EQ("sleep", 0, sleep(31536000));
    EQ("usleep", 0, usleep(2000000));
    EQ("a_year", 31536002, now() - before);
    at = in_seconds(CLOCK_REALTIME, 50);
    before = now();
    EQ("absolute", 0, clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &at, NULL));
    EQ("fifty", 50, now() - before);
    EQ("in_the_past", 0, clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &at, NULL));
    span = (struct timespec){5, 0};
    EQ("relative", 0, clock_nanosleep(CLOCK_MONOTONIC, 0, &span, NULL));
    EQ("bad_clock", EINVAL, clock_nanosleep(1000, 0, &span, NULL));

    struct timeval tv;
    EQ("gettimeofday", 0, gettimeofday(&tv, NULL));
    YES("after_2000", tv.tv_sec > 946684800);
    YES("same_time", time(NULL) - tv.tv_sec <= 1);
    EQ("timespec_get", TIME_UTC, timespec_get(&at, TIME_UTC));
    YES("same_again", at.tv_sec - tv.tv_sec <= 1);
    EQ("getres", 0, clock_getres(CLOCK_REALTIME, &at));
    FAILS("gettime_bad", EINVAL, clock_gettime(1000, &at));
    FAILS("settime", EPERM, clock_settime(CLOCK_REALTIME, &at));
    YES("cpu_clocks", clock() != (clock_t)-1 && times(NULL) != (clock_t)-1);
    for (int clock = 0; clock < 12; clock++) {
        if (clock != 10) EQ("each_clock", 0, clock_gettime(clock, &at));
    }

    before = now();
    EQ("poll_sleeps", 0, poll(NULL, 0, 7000));
    tv = (struct timeval){8, 0};
    EQ("select_sleeps", 0, select(0, NULL, NULL, NULL, &tv));
    EQ("fifteen", 15, now() - before);
    int ends[2];
    if (pipe(ends) != 0) return 1;
    struct pollfd in = {ends[0], POLLIN, 0};
    EQ("poll_empty", 0, poll(&in, 1, 1000));
    if (write(ends[1], "x", 1) != 1) return 1;
    EQ("poll_full", 1, poll(&in, 1, 1000));
    EQ("poll_now", 1, poll(&in, 1, 0));

    pthread_t t[3];
    for (long i = 0; i < 3; i++) t[i] = start(nap, (void *)(30 - 10 * i));
    for (int i = 0; i < 3; i++) finish(t[i]);
    YES("deadlines_in_order", order[0] == 10 && order[1] == 20 && order[2] == 30);
    before = now(); /* a loop that only looks at the clock comes to an end */
    while (now() - before < 1) continue;
    YES("busy_wait_ends", 1);
    return 0;
}

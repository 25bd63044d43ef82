/* seconds.h - the time that passes, for budgets and progress. */
#ifndef HD_SECONDS_H
#define HD_SECONDS_H

#include <time.h>

static inline double hd_seconds(void) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec + (double)at.tv_nsec * 1e-9;
}

#endif

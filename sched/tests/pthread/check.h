/* check.h - a test program's way to say what holds: `ok NAME` or `not ok NAME`.
 *
 * The programs are ordinary ones, compiled by heddle-cc. Every check must hold
 * in every schedule. */
#ifndef CHECK_H
#define CHECK_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static inline void check_number(const char *name, long wanted, long got) {
    if (wanted == got) printf("ok %s\n", name);
    else printf("not ok %s: wanted %ld, got %ld\n", name, wanted, got);
    fflush(stdout);
}
#define EQ(name, wanted, got) check_number(name, (long)(wanted), (long)(got))
#define YES(name, condition) check_number(name, 1, (condition) ? 1 : 0)
/* A call that answers -1 and sets errno. */
#define FAILS(name, error, call)                                                         \
    do {                                                                                 \
        errno = 0;                                                                       \
        long answer_ = (long)(call);                                                     \
        check_number(name, error, answer_ == -1 ? errno : 0);                            \
    } while (0)

static inline struct timespec in_seconds(clockid_t clock, long seconds) {
    struct timespec at;
    clock_gettime(clock, &at);
    at.tv_sec += seconds;
    return at;
}

static inline pthread_t start(void *(*entry)(void *), void *argument) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, entry, argument) != 0) printf("not ok create\n");
    return thread;
}

static inline void *finish(pthread_t thread) {
    void *result = NULL;
    if (pthread_join(thread, &result) != 0) printf("not ok join\n");
    return result;
}

#endif

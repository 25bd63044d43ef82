/* woken.c - cases with waits that end for nothing (--spurious-wakeups).
 *
 * Each with a twin that counts on its stack, never comes back to the same state and so
 * is woken three times: what it shows the other must show, too. */
#include "case.h"

#include <errno.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int x, y, got[4];

static void observe_all(void) {
    for (int i = 0; i < 4; i++) heddle_observe("got", got[i]);
}

static struct timespec soon(void) {
    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_nsec += 1000;
    return at;
}

/* It writes something, waits until another has, and shows what that was. */
static void loop(void (*before)(void), volatile int *count) {
    pthread_mutex_lock(&m);
    x = 1;
    for (;;) {
        before();
        if (y) break;
        if (count) ++*count;
        pthread_cond_wait(&c, &m);
    }
    got[0] = y;
    pthread_mutex_unlock(&m);
}
static void nothing(void) {}
static void has_inner(void) { pthread_mutex_lock(&inner); pthread_mutex_unlock(&inner); }
static void has_read(void) { pthread_rwlock_rdlock(&rw); pthread_rwlock_unlock(&rw); }
#define LOOP(name, before)                                                            \
    WORK(name) { loop(before, NULL); return NULL; }                                   \
    WORK(name##_counted) { volatile int count = 0; loop(before, &count); return NULL; }
LOOP(waits, nothing)
LOOP(waits_inner, has_inner)
LOOP(waits_read, has_read)

/* Nobody signals. */
static void set(int value) {
    pthread_mutex_lock(&m);
    y = value;
    pthread_mutex_unlock(&m);
}
static void look(void) { pthread_mutex_lock(&m); got[1] = x; pthread_mutex_unlock(&m); }
WORK(sets) { look(); set(1); return NULL; }
WORK(signals) { look(); set(1); pthread_cond_signal(&c); return NULL; }
WORK(tries) { /* finds it taken only while the other goes round, if x was set already */
    look();
    got[2] = pthread_mutex_trylock(&m) != 0;
    if (!got[2]) pthread_mutex_unlock(&m);
    set(got[2] ? 2 : 1);
    return NULL;
}
WORK(tries_inner) {
    look();
    got[2] = pthread_mutex_trylock(&inner) != 0;
    if (!got[2]) pthread_mutex_unlock(&inner);
    set(got[2] ? 2 : 1);
    return NULL;
}
WORK(tries_write) {
    look();
    got[2] = pthread_rwlock_trywrlock(&rw) != 0;
    if (!got[2]) pthread_rwlock_unlock(&rw);
    set(got[2] ? 2 : 1);
    return NULL;
}
WORK(tries_read) {
    look();
    got[2] = pthread_rwlock_tryrdlock(&rw) != 0;
    if (!got[2]) pthread_rwlock_unlock(&rw);
    set(got[2] ? 2 : 1);
    return NULL;
}

/* Two waits, each with an end of its own. */
WORK(waits_twice) {
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    got[0] = y;
    pthread_cond_wait(&c, &m);
    got[3] = y;
    pthread_mutex_unlock(&m);
    return NULL;
}
static void in_time(volatile int *count) {
    struct timespec at = soon();
    int rc = 0;
    pthread_mutex_lock(&m);
    while (!y && rc == 0) {
        if (count) ++*count;
        rc = pthread_cond_timedwait(&c, &m, &at);
    }
    got[0] = rc * 10 + y;
    pthread_mutex_unlock(&m);
}
WORK(waits_in_time) { in_time(NULL); return NULL; }
WORK(waits_in_time_counted) { volatile int count = 0; in_time(&count); return NULL; }

#define PAIR(name, waiter, other)                                                     \
    static void name(void) { run2(waiter, other); observe_all(); }                    \
    static void name##_counted(void) { run2(waiter##_counted, other); observe_all(); }
PAIR(woken, waits, sets)
PAIR(woken_or_signaled, waits, signals)
PAIR(woken_in_time, waits_in_time, signals)
PAIR(woken_tried, waits, tries)
PAIR(woken_inner, waits_inner, sets)
PAIR(woken_inner_tried, waits_inner, tries_inner)
PAIR(woken_write_tried, waits_read, tries_write)
PAIR(woken_read_tried, waits_read, tries_read)
static void woken_twice(void) { run2(waits_twice, signals); observe_all(); }
static void woken_both(void) { run3_here(waits, waits, signals); observe_all(); }

#define BOTH(name) CASE(name), CASE(name##_counted)
CASES(BOTH(woken), BOTH(woken_or_signaled), BOTH(woken_in_time), BOTH(woken_tried),
      BOTH(woken_inner), BOTH(woken_inner_tried), BOTH(woken_write_tried),
      BOTH(woken_read_tried), CASE(woken_twice), CASE(woken_both))

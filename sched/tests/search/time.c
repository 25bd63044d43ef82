/* time.c - cases with deadlines. */
#include "case.h"

#include <errno.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int x;
static int r[4];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static sem_t sem;

static void observe_all(void) {
    heddle_observe("x", atomic_load(&x));
    for (int i = 0; i < 4; i++) heddle_observe("r", r[i]);
}

static struct timespec in(long nanoseconds) {
    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    at.tv_nsec += nanoseconds;
    return at;
}
static void mark(int digit) { atomic_store(&x, atomic_load(&x) * 10 + digit); }
static void nap(long nanoseconds) { nanosleep(&(struct timespec){0, nanoseconds}, NULL); }

WORK(nap_1) { nap(100); atomic_store(&x, 1); return NULL; }
WORK(nap_2) { nap(100); atomic_store(&x, 2); return NULL; }
WORK(nap_3) { nap(200); atomic_store(&x, 3); return NULL; }
WORK(no_nap) { atomic_store(&x, 4); return NULL; }
WORK(two_naps) { nap(60); r[0] = atomic_load(&x); nap(60); r[1] = atomic_load(&x); return NULL; }
static void equal_naps(void) { run2(nap_1, nap_2); observe_all(); }
static void naps_in_order(void) { run2(nap_1, nap_3); observe_all(); }
static void nap_or_not(void) { run2(nap_1, no_nap); observe_all(); }
static void two_naps_to_one(void) { run2(two_naps, nap_1); observe_all(); }
static void three_naps(void) { run3_here(nap_1, nap_2, nap_3); observe_all(); }
WORK(look_at_clock) { struct timespec at; clock_gettime(CLOCK_MONOTONIC, &at); r[0] = (int)at.tv_nsec; return NULL; }
static void clock_and_nap(void) { run2(look_at_clock, nap_1); observe_all(); }

WORK(hold_m) { pthread_mutex_lock(&m); mark(1); pthread_mutex_unlock(&m); return NULL; }
WORK(timed_m) { struct timespec until = in(100); r[0] = pthread_mutex_timedlock(&m, &until) == ETIMEDOUT; if (!r[0]) pthread_mutex_unlock(&m); return NULL; }
WORK(timed_m2) { struct timespec until = in(100); r[1] = pthread_mutex_timedlock(&m, &until) == ETIMEDOUT; if (!r[1]) pthread_mutex_unlock(&m); return NULL; }
static void timed_lock(void) { run2(hold_m, timed_m); observe_all(); }
static void timed_locks(void) { run2(timed_m, timed_m2); observe_all(); }
static void timed_lock_and_nap(void) { run3_here(timed_m, hold_m, nap_1); observe_all(); }
static void timed_lock_held(void) { pthread_mutex_lock(&m); run2(timed_m, nap_3); observe_all(); }

WORK(post) { sem_post(&sem); return NULL; }
WORK(timed_pend) { struct timespec until = in(100); r[0] = sem_timedwait(&sem, &until) == 0; return NULL; }
WORK(pend) { sem_wait(&sem); r[1] = 1; return NULL; }
static void timed_sem(void) { sem_init(&sem, 0, 0); run2(post, timed_pend); observe_all(); }
static void timed_sem_two(void) { sem_init(&sem, 0, 1); run3_here(pend, timed_pend, post); observe_all(); }
WORK(write_rw) { pthread_rwlock_wrlock(&rw); mark(1); pthread_rwlock_unlock(&rw); return NULL; }
WORK(timed_rd) { struct timespec until = in(100); r[0] = pthread_rwlock_timedrdlock(&rw, &until); if (!r[0]) pthread_rwlock_unlock(&rw); return NULL; }
static void timed_rwlock(void) { run2(write_rw, timed_rd); observe_all(); }
static void timed_join(void) {
    pthread_t t = start(nap_3);
    struct timespec until = in(100);
    r[0] = pthread_timedjoin_np(t, NULL, &until) == ETIMEDOUT;
    if (r[0]) pthread_join(t, NULL);
    observe_all();
}
static void timed_join_busy(void) {
    pthread_t t = start(no_nap);
    struct timespec until = in(100);
    r[0] = pthread_timedjoin_np(t, NULL, &until) == ETIMEDOUT;
    if (r[0]) pthread_join(t, NULL);
    observe_all();
}
WORK(nap_then_m) { nap(150); hold_m(arg); return NULL; }
WORK(nap_then_timed_m) { nap(50); timed_m(arg); return NULL; }
static void deadlines_cross(void) { run2(nap_then_m, nap_then_timed_m); observe_all(); }

/* A wake-up changes nothing for another who stands before the same mutex. */
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
WORK(wait_m) { pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); return NULL; }
WORK(broadcast) { mark(1); pthread_cond_broadcast(&c); return NULL; }
WORK(timed_m_kept) { struct timespec until = in(100); r[0] = pthread_mutex_timedlock(&m, &until) == ETIMEDOUT; mark(2); return NULL; }
static void timed_lock_beside_wait(void) { run3_here(timed_m_kept, wait_m, broadcast); observe_all(); }
/* Two readers who stay, and a writer: each of them alone would be in the way. */
WORK(stay_rd) { struct timespec until = in(10); pthread_rwlock_timedrdlock(&rw, &until); return NULL; }
WORK(write_once) { pthread_rwlock_wrlock(&rw); mark(1); return NULL; }
static void readers_stay(void) { run3_here(stay_rd, stay_rd, write_once); observe_all(); }
WORK(timed_wr) { struct timespec until = in(100); r[1] = pthread_rwlock_timedwrlock(&rw, &until); if (!r[1]) pthread_rwlock_unlock(&rw); return NULL; }
WORK(read_rw) { pthread_rwlock_rdlock(&rw); r[2] = atomic_load(&x); pthread_rwlock_unlock(&rw); return NULL; }
static void timed_writer(void) { run3_here(timed_wr, read_rw, nap_1); observe_all(); }

CASES(CASE(equal_naps), CASE(naps_in_order), CASE(nap_or_not), CASE(two_naps_to_one),
      CASE(three_naps), CASE(clock_and_nap), CASE(timed_lock), CASE(timed_locks),
      CASE(timed_lock_and_nap), CASE(timed_lock_held), CASE(timed_sem), CASE(timed_sem_two),
      CASE(timed_rwlock), CASE(timed_lock_beside_wait), CASE(readers_stay),
      CASE(timed_writer), CASE(timed_join), CASE(timed_join_busy), CASE(deadlines_cross))

/* cond.c - cases with condition variables. */
#include "case.h"

#include <errno.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int flag, n, got[4];

static void observe_all(void) {
    heddle_observe("n", n);
    for (int i = 0; i < 4; i++) heddle_observe("got", got[i]);
}

WORK(wait_flag) {
    pthread_mutex_lock(&m);
    while (!flag) pthread_cond_wait(&c, &m);
    n = n * 10 + 1;
    pthread_mutex_unlock(&m);
    return NULL;
}
WORK(wait_flag2) {
    pthread_mutex_lock(&m);
    while (!flag) pthread_cond_wait(&c, &m);
    n = n * 10 + 2;
    pthread_mutex_unlock(&m);
    return NULL;
}
WORK(take_flag) {
    pthread_mutex_lock(&m);
    while (!flag) pthread_cond_wait(&c, &m);
    flag--;
    pthread_mutex_unlock(&m);
    return NULL;
}
WORK(set_flag) {
    pthread_mutex_lock(&m);
    flag = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return NULL;
}
WORK(set_flag_all) {
    pthread_mutex_lock(&m);
    flag = 1;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    return NULL;
}
WORK(set_then_signal) {
    pthread_mutex_lock(&m);
    flag = 1;
    pthread_mutex_unlock(&m);
    pthread_cond_signal(&c);
    return NULL;
}
WORK(set_two) {
    pthread_mutex_lock(&m);
    flag = 2;
    pthread_mutex_unlock(&m);
    pthread_cond_signal(&c);
    pthread_cond_signal(&c);
    return NULL;
}
WORK(wait_once) { /* no loop, no flag */
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    n = n * 10 + 1;
    pthread_mutex_unlock(&m);
    return NULL;
}
WORK(wait_once2) {
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    n = n * 10 + 2;
    pthread_mutex_unlock(&m);
    return NULL;
}
WORK(signal_only) { pthread_cond_signal(&c); return NULL; }
WORK(broadcast_only) { pthread_cond_broadcast(&c); return NULL; }
WORK(touch_lock) {
    pthread_mutex_lock(&m);
    n = n * 10 + 3;
    pthread_mutex_unlock(&m);
    return NULL;
}
WORK(if_flag) { /* `if` where `while` belongs */
    pthread_mutex_lock(&m);
    if (!flag) pthread_cond_wait(&c, &m);
    got[0] = flag;
    flag = 0;
    pthread_mutex_unlock(&m);
    return NULL;
}
static int timed_wait(long nanoseconds) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += nanoseconds;
    return pthread_cond_timedwait(&c, &m, &until);
}
WORK(wait_timed) {
    pthread_mutex_lock(&m);
    got[1] = 1 + (flag ? 0 : timed_wait(1000) == ETIMEDOUT);
    got[2] = flag;
    pthread_mutex_unlock(&m);
    return NULL;
}

static void cond_flag(void) { run2(wait_flag, set_flag); observe_all(); }
static void cond_flag_here(void) { run2_here(set_flag, wait_flag); observe_all(); }
static void cond_lost(void) { run2(wait_once, signal_only); observe_all(); }
static void cond_lost_all(void) { run2(wait_once, broadcast_only); observe_all(); }
static void cond_outside(void) { run2(wait_flag, set_then_signal); observe_all(); }
static void cond_broadcast(void) { run3_here(wait_flag, wait_flag2, set_flag_all); observe_all(); }
static void cond_one_of_two(void) { run3_here(wait_flag, wait_flag2, set_flag); observe_all(); }
static void cond_who(void) {
    pthread_t a = start(wait_once), b = start(wait_once2);
    pthread_cond_signal(&c);
    pthread_cond_signal(&c);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    observe_all();
}
static void cond_two_signals(void) { run3_here(take_flag, take_flag, set_two); observe_all(); }
static void cond_if(void) { run3_here(if_flag, touch_lock, set_flag); observe_all(); }
static void cond_thief(void) { run3_here(if_flag, take_flag, set_then_signal); observe_all(); }
static void cond_crowd(void) { run3_here(wait_flag, touch_lock, set_flag); observe_all(); }
static void cond_timed(void) { run2(wait_timed, set_flag); observe_all(); }
static void cond_timed_alone(void) { wait_timed(NULL); observe_all(); }
static void cond_timed_lock(void) { run2(wait_timed, touch_lock); observe_all(); }

CASES(CASE(cond_flag), CASE(cond_flag_here), CASE(cond_lost), CASE(cond_lost_all),
      CASE(cond_outside), CASE(cond_broadcast), CASE(cond_one_of_two), CASE(cond_who),
      CASE(cond_two_signals), CASE(cond_if), CASE(cond_thief), CASE(cond_crowd),
      CASE(cond_timed), CASE(cond_timed_alone), CASE(cond_timed_lock))

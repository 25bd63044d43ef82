/* anytime.c - cases with what may come between any two operations: a request to end at
 * once, a handler. */
#include "case.h"

#include <signal.h>
#include <stdatomic.h>

static atomic_int n;
static int at, order;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

WORK(counts) {
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    for (int i = 0; i < 4; i++) n++;
    return NULL;
}
WORK(counts_in_part) {
    int old;
    n++;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
    n++;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    n++;
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
    n++;
    return NULL;
}
static void observe_end(pthread_t t) {
    void *result;
    pthread_join(t, &result);
    heddle_observe("canceled", result == PTHREAD_CANCELED);
    heddle_observe("n", n);
}
static void ended_anywhere(void) { pthread_t t = start(counts); pthread_cancel(t); observe_end(t); }
static void ended_in_parts(void) { pthread_t t = start(counts_in_part); pthread_cancel(t); observe_end(t); }

static void handler(int number) { at = n * 10 + order + (number != SIGUSR1); }
WORK(signals) { pthread_kill(*(pthread_t *)arg, SIGUSR1); return NULL; }
static void handled_anywhere(void) {
    pthread_t me = pthread_self(), t;
    signal(SIGUSR1, handler);
    pthread_create(&t, NULL, signals, &me);
    for (int i = 0; i < 4; i++) n++;
    pthread_join(t, NULL);
    heddle_observe("at", at);
}
WORK(orders) {
    pthread_mutex_lock(&m);
    if (!order) order = 1;
    pthread_mutex_unlock(&m);
    return signals(arg);
}
static void handled_by_two(void) {
    pthread_t me = pthread_self(), t;
    signal(SIGUSR1, handler);
    pthread_create(&t, NULL, orders, &me);
    n++;
    pthread_mutex_lock(&m);
    if (!order) order = 2;
    pthread_mutex_unlock(&m);
    n++;
    pthread_join(t, NULL);
    heddle_observe("at", at);
}

CASES(CASE(ended_anywhere), CASE(ended_in_parts), CASE(handled_anywhere), CASE(handled_by_two))

/* goal.c - two threads that note their names under a lock, twice. */
#include "case.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int order;

__attribute__((noinline)) static void note_one(void) {
    pthread_mutex_lock(&m);
    order = order * 10 + 1;
    pthread_mutex_unlock(&m);
}

__attribute__((noinline)) static void note_two(void) {
    pthread_mutex_lock(&m);
    order = order * 10 + 2;
    pthread_mutex_unlock(&m);
}

WORK(one) { note_one(); note_one(); return NULL; }
WORK(two) { note_two(); note_two(); return NULL; }

static void notes(void) {
    run2(one, two);
    heddle_observe("order", order);
}

CASES(CASE(notes))

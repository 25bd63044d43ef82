/* process.c - cases in which the process ends while others still do something. */
#include "case.h"

#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int shown;
static volatile int *nowhere;

WORK(print_twice) { printf("x"); printf("y"); return NULL; }
WORK(print_under_lock) {
    pthread_mutex_lock(&m);
    printf("x");
    pthread_mutex_unlock(&m);
    return NULL;
}
WORK(print_and_flush) { printf("x"); fflush(stdout); printf("y"); return NULL; }
WORK(write_twice) {
    if (write(1, "a", 1) == 1 && write(1, "b", 1) == 1) return arg;
    return NULL;
}
WORK(observe_twice) { heddle_observe("a", 1); heddle_observe("b", 2); return NULL; }
WORK(set_twice) { shown = 1; shown = 2; return NULL; }
WORK(exits_3) { exit(3); }
WORK(exits_4) { exit(4); }
WORK(leaves_3) { _exit(3); }
WORK(fails) { *nowhere = 1; return NULL; }

/* Main returns. */
static void end_printed(void) { start(print_twice); }
static void end_written(void) { start(write_twice); }
static void end_observed(void) { start(observe_twice); }
static void end_locked(void) {
    pthread_mutex_lock(&m);
    start(print_under_lock);
    pthread_mutex_unlock(&m);
}
static void end_detached(void) { pthread_detach(start(print_twice)); }
static void end_set(void) { start(set_twice); }
static void end_two(void) {
    start(print_twice);
    start(print_twice);
}

/* Nothing is flushed. */
static void end_flushed(void) {
    start(print_and_flush);
    _exit(0);
}

static void say(void) { printf("bye"); }
static void end_handler(void) {
    atexit(say);
    start(print_twice);
}

/* Another thread ends it. */
static void end_by_other(void) {
    pthread_t t = start(exits_3);
    printf("m");
    printf("n");
    pthread_join(t, NULL);
}
static void end_at_once(void) {
    pthread_t t = start(leaves_3);
    printf("m");
    fflush(stdout);
    printf("n");
    pthread_join(t, NULL);
}
static void end_by_either(void) { run2(exits_3, exits_4); }
static void end_or_failure(void) { run2(exits_3, fails); }
static void end_failure_first(void) { run2(print_and_flush, fails); }

/* Main has left, the last one ends it: all was printed. */
static void end_last(void) {
    start(print_twice);
    pthread_exit(NULL);
}

CASES(CASE(end_printed), CASE(end_written), CASE(end_observed), CASE(end_locked),
      CASE(end_detached), CASE(end_set), CASE(end_two), CASE(end_flushed), CASE(end_handler),
      CASE(end_by_other), CASE(end_at_once), CASE(end_by_either), CASE(end_or_failure),
      CASE(end_failure_first), CASE(end_last))

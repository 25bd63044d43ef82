/* filled_in_turn.c - an array filled in a deterministic block, under one lock.
 *
 * Who has the lock first takes the first place. It is one pair, whichever of the two is
 * first.
 *
 * label: harmful
 * expect: determinism m confirmed harmful
 * twin: summed_in_turn.c */
#include <pthread.h>
#include <stdio.h>
#if __has_include(<heddle.h>)
#include <heddle.h>
#else
#define HEDDLE_DETERMINISTIC(name)
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int places[2], filled;

static void *one(void *arg) {
    pthread_mutex_lock(&m);
    places[filled++] = 1;
    pthread_mutex_unlock(&m);
    return arg;
}

static void *two(void *arg) {
    pthread_mutex_lock(&m);
    places[filled++] = 2;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t1, t2;
    HEDDLE_DETERMINISTIC("fill") {
        pthread_create(&t1, NULL, one, NULL);
        pthread_create(&t2, NULL, two, NULL);
        pthread_join(t1, NULL);
        pthread_join(t2, NULL);
    }
    printf("%d %d\n", places[0], places[1]);
    return 0;
}

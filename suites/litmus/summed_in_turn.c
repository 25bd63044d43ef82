/* summed_in_turn.c - a sum in a deterministic block, under one lock.
 *
 * Which thread has the lock first differs, the sum does not. It is one pair, whichever of
 * the two is first.
 *
 * label: benign
 * expect: determinism m confirmed benign
 * twin: filled_in_turn.c */
#include <pthread.h>
#include <stdio.h>
#if __has_include(<heddle.h>)
#include <heddle.h>
#else
#define HEDDLE_DETERMINISTIC(name)
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *one(void *arg) {
    pthread_mutex_lock(&m);
    sum += 1;
    pthread_mutex_unlock(&m);
    return arg;
}

static void *two(void *arg) {
    pthread_mutex_lock(&m);
    sum += 2;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t1, t2;
    HEDDLE_DETERMINISTIC("add") {
        pthread_create(&t1, NULL, one, NULL);
        pthread_create(&t2, NULL, two, NULL);
        pthread_join(t1, NULL);
        pthread_join(t2, NULL);
    }
    printf("%d\n", sum);
    return 0;
}

/* det_max_either_way.c - the higher of two, whichever comes first.
 *
 * The block is meant to be deterministic, and two threads store into one place in an
 * order that is open. Each looks first whether it is higher: the result is the same.
 *
 * label: benign
 * expect: determinism lock|highest confirmed benign
 * twin: det_turns.c */
#include <pthread.h>
#include <stdio.h>

#if __has_include(<heddle.h>)
#include <heddle.h>
#else
#define HEDDLE_DETERMINISTIC(name)
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int highest;

static void higher(int value) {
    pthread_mutex_lock(&lock);
    if (value > highest) {
        highest = value;
    }
    pthread_mutex_unlock(&lock);
}

static void *one(void *arg) {
    (void)arg;
    higher(3);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    higher(5);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    HEDDLE_DETERMINISTIC("highest") {
        pthread_create(&t1, NULL, one, NULL);
        pthread_create(&t2, NULL, two, NULL);
        pthread_join(t1, NULL);
        pthread_join(t2, NULL);
    }
    printf("%d\n", highest);
    return 0;
}

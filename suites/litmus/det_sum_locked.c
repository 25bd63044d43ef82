/* det_sum_locked.c - a sum that does not depend on the order of its terms.
 *
 * Both threads of the region take the same lock, in either order: a conflict
 * inside a region that is meant to be deterministic, and both orders happen. But
 * additions commute: 3, always.
 *
 * label: benign
 * expect: determinism guard|sum confirmed benign
 * twin: det_sum_slots.c */
#include <pthread.h>
#include <stdio.h>
#if __has_include(<heddle.h>)
#include <heddle.h>
#else
#define HEDDLE_DETERMINISTIC(name)
#endif

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *add(void *term) {
    pthread_mutex_lock(&guard);
    sum += *(int *)term;
    pthread_mutex_unlock(&guard);
    return NULL;
}

int main(void) {
    static int terms[2] = {1, 2};
    HEDDLE_DETERMINISTIC("sum") {
        pthread_t t1, t2;
        pthread_create(&t1, NULL, add, &terms[0]);
        pthread_create(&t2, NULL, add, &terms[1]);
        pthread_join(t1, NULL);
        pthread_join(t2, NULL);
    }
    printf("%d\n", sum);
    return 0;
}

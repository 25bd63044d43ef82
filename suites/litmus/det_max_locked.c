/* det_max_locked.c - a maximum does not depend on the order either.
 *
 * Two threads of the region offer their values under the lock, in either order:
 * a conflict, and both orders happen. The larger one stays.
 *
 * label: benign
 * expect: determinism guard|most confirmed benign
 * twin: order_decides.c
 * twin: max_unlocked.c */
#include <pthread.h>
#include <stdio.h>
#if __has_include(<heddle.h>)
#include <heddle.h>
#else
#define HEDDLE_DETERMINISTIC(name)
#endif

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int most;

static void *offer(void *value) {
    pthread_mutex_lock(&guard);
    if (*(int *)value > most) {
        most = *(int *)value;
    }
    pthread_mutex_unlock(&guard);
    return NULL;
}

int main(void) {
    static int five = 5, nine = 9;
    HEDDLE_DETERMINISTIC("maximum") {
        pthread_t t1, t2;
        pthread_create(&t1, NULL, offer, &five);
        pthread_create(&t2, NULL, offer, &nine);
        pthread_join(t1, NULL);
        pthread_join(t2, NULL);
    }
    printf("%d\n", most);
    return 0;
}

/* volatile_counter.c - volatile is not atomic.
 *
 * The compiler keeps both accesses of the increment, and they stay two: an
 * increment of the other thread between them is lost.
 *
 * label: harmful
 * expect: atomicity bump confirmed harmful
 * expect: failure assertion
 * twin: volatile_stop.c
 * twin: debug_count.c */
#include <assert.h>
#include <pthread.h>

static volatile int counter;

void bump(void) {
    counter = counter + 1;
}

static void *worker(void *arg) {
    (void)arg;
    bump();
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(counter == 2);
    return 0;
}

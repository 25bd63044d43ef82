/* racy_counter.c - the plainest race.
 *
 * Two threads add one to a plain integer without a lock. Reading and writing
 * are two steps, so both can read 0 and the counter ends at 1.
 *
 * label: harmful
 * expect: race counter confirmed harmful
 * expect: failure assertion
 * twin: atomic_counter.c
 * twin: same_bit.c */
#include <assert.h>
#include <pthread.h>

static int counter;

static void *worker(void *arg) {
    (void)arg;
    counter++;
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

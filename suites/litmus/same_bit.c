/* same_bit.c - two threads set the same bit without a lock.
 *
 * Reading and writing are two steps, and a race, as in racy_counter. But setting
 * a bit twice is as good as once: a lost update loses nothing.
 *
 * label: benign
 * expect: race flags confirmed benign
 * twin: racy_counter.c */
#include <assert.h>
#include <pthread.h>

static unsigned flags = 1;

static void *worker(void *arg) {
    (void)arg;
    flags |= 4;
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(flags == 5);
    return 0;
}

/* rwlock_write_under_read.c - a write under the reader's lock.
 *
 * Readers do not exclude each other, so the two increments overlap: a race
 * although both threads hold the lock, and one increment can be lost.
 *
 * label: harmful
 * expect: race counter confirmed harmful
 * expect: failure assertion
 * twin: readers_writers.c */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int counter;

static void *worker(void *arg) {
    (void)arg;
    pthread_rwlock_rdlock(&lock);
    counter++;
    pthread_rwlock_unlock(&lock);
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

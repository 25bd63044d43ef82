/* tas_lock_split.c - a lock that tests, then sets.
 *
 * Two steps where one is needed: both threads find the flag clear before either
 * sets it, and both are inside.
 *
 * label: harmful
 * expect: race counter confirmed harmful
 * expect: failure assertion
 * twin: tas_lock.c
 * twin: ticket_lock.c */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int busy;
static int counter;

static void *worker(void *arg) {
    (void)arg;
    while (atomic_load(&busy)) {
    }
    atomic_store(&busy, 1);
    counter++;
    atomic_store(&busy, 0);
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

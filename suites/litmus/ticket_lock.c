/* ticket_lock.c - a lock that serves in the order of arrival.
 *
 * Each thread draws a number and spins until it is served; leaving serves the
 * next. Nobody is inside at the same time as another, by two counters that no
 * lock-set checker takes for a lock.
 *
 * label: refutable
 * expect: race counter refuted
 * twin: tas_lock_split.c */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next_number;
static atomic_int serving;
static int counter;

static void *worker(void *arg) {
    (void)arg;
    int mine = atomic_fetch_add(&next_number, 1);
    while (atomic_load(&serving) != mine) {
    }
    counter++;
    atomic_store(&serving, mine + 1);
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

/* tas_lock.c - a lock made of one atomic integer.
 *
 * The exchange tells exactly one thread that it was first; the other one spins
 * until the lock looks free and tries again. The increments are ordered, by a
 * lock that no lock-set checker knows for one.
 *
 * label: refutable
 * expect: race counter refuted
 * twin: tas_lock_split.c */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int busy;
static int counter;

static void *worker(void *arg) {
    (void)arg;
    while (atomic_exchange_explicit(&busy, 1, memory_order_acquire)) {
        while (atomic_load_explicit(&busy, memory_order_relaxed)) {
        }
    }
    counter++;
    atomic_store_explicit(&busy, 0, memory_order_release);
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

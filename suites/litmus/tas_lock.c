/* tas_lock.c - a lock made of one atomic flag.
 *
 * test-and-set tells exactly one thread that it was first; the other one spins
 * until the flag is cleared. The increments are ordered, by a lock that no
 * lock-set checker knows for one.
 *
 * label: refutable
 * expect: race counter refuted
 * twin: tas_lock_split.c */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag busy = ATOMIC_FLAG_INIT;
static int counter;

static void *worker(void *arg) {
    (void)arg;
    while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire)) {
    }
    counter++;
    atomic_flag_clear_explicit(&busy, memory_order_release);
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

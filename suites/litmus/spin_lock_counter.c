/* spin_lock_counter.c - a spin lock around the increment.
 *
 * A spin lock is a lock: whoever waits, waits busily, but the increments do not
 * overlap and are ordered by the lock.
 *
 * label: clean
 * expect: clean
 * twin: sem_as_lock.c */
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t spin;
static int counter;

void bump(void) {
    pthread_spin_lock(&spin);
    counter++;
    pthread_spin_unlock(&spin);
}

static void *worker(void *arg) {
    (void)arg;
    bump();
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(counter == 2);
    return 0;
}

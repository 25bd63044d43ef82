/* claim_by_cas.c - one thread claims the computation, the other waits for it.
 *
 * The compare-exchange lets exactly one thread compute; the other spins until
 * the result is announced. Both touch `result` without a lock, one after the
 * other.
 *
 * label: refutable
 * expect: race result refuted
 * twin: compute_counted.c */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int claimed;
static atomic_int announced;
static int result;

static void *user(void *arg) {
    (void)arg;
    int nobody = 0;
    if (atomic_compare_exchange_strong(&claimed, &nobody, 1)) {
        result = 7 * 7;
        atomic_store_explicit(&announced, 1, memory_order_release);
    }
    while (!atomic_load_explicit(&announced, memory_order_acquire)) {
        sched_yield();
    }
    assert(result == 49);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, user, NULL);
    pthread_create(&t2, NULL, user, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

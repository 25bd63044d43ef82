/* atomic_counter.c - the plainest race, repaired.
 *
 * A relaxed fetch-and-add is one step and cannot lose anything; the joins order
 * the additions before the final look.
 *
 * label: clean
 * expect: clean
 * twin: racy_counter.c */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *worker(void *arg) {
    (void)arg;
    atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(atomic_load(&counter) == 2);
    return 0;
}

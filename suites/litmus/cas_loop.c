/* cas_loop.c - a compare-exchange loop.
 *
 * Another thread's addition between load and exchange makes the exchange fail
 * and the loop go round: as a conflict that is a cycle (read, foreign write,
 * read and write). What is stored in the end was computed from what it replaces,
 * so the sum is 3 in every interleaving.
 *
 * label: benign
 * expect: atomicity add confirmed benign
 * twin: load_then_store.c */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int total;

void add(int n) {
    int old = atomic_load(&total);
    while (!atomic_compare_exchange_strong(&total, &old, old + n)) {
    }
}

static void *one(void *arg) {
    (void)arg;
    add(1);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    add(2);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(atomic_load(&total) == 3);
    return 0;
}

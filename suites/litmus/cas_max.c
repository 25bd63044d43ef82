/* cas_max.c - the largest value seen, kept by compare-exchange.
 *
 * A foreign update between load and exchange makes the exchange fail; the loop
 * looks again and may find that there is nothing left to do. A cycle, and the
 * maximum in every interleaving.
 *
 * label: benign
 * expect: atomicity offer confirmed benign
 * twin: load_then_store.c */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int most;

void offer(int value) {
    int seen = atomic_load(&most);
    while (seen < value && !atomic_compare_exchange_strong(&most, &seen, value)) {
    }
}

static void *low(void *arg) {
    (void)arg;
    offer(5);
    return NULL;
}

static void *high(void *arg) {
    (void)arg;
    offer(9);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, low, NULL);
    pthread_create(&t2, NULL, high, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d\n", atomic_load(&most));
    return 0;
}

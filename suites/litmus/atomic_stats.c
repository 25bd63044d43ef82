/* atomic_stats.c - lock-free statistics.
 *
 * Every counter is one atomic addition by itself and nothing ties the counters
 * to each other; they are read once all workers are joined. The helper is
 * private to the file, as such helpers are.
 *
 * label: clean
 * expect: clean
 * twin: atomic_stats_pair.c */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int requests;
static atomic_int bytes;

static void count(atomic_int *statistic, int by) {
    atomic_fetch_add_explicit(statistic, by, memory_order_relaxed);
}

static void *worker(void *arg) {
    (void)arg;
    count(&requests, 1);
    count(&bytes, 100);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d requests, %d bytes\n", atomic_load(&requests), atomic_load(&bytes));
    return 0;
}

/* atomic_stats_pair.c - two statistics in one public function.
 *
 * record is a function of the module's interface, so it is expected to be one
 * step; two calls can pass each other between the two additions, which is a
 * cycle. Additions commute: 2 and 200 whatever happens.
 *
 * label: benign
 * expect: atomicity record confirmed benign
 * twin: atomic_stats.c */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int requests;
static atomic_int bytes;

void record(int size) {
    atomic_fetch_add_explicit(&requests, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&bytes, size, memory_order_relaxed);
}

static void *worker(void *arg) {
    (void)arg;
    record(100);
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

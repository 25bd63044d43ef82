/* stress_pool.c - the usual stress test: many jobs from many threads, add up the results.
 *
 * Passes with the defect, too: like most programs it shuts the pool down when all
 * submitters are done, and the defect needs one that is not. */
#include "pool.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

enum { WORKERS = 3, SUBMITTERS = 3, JOBS = 200 };

static struct pool *pool;

static void *squared(void *number) {
    uintptr_t n = (uintptr_t)number;
    return (void *)(n * n);
}

static void *submitter(void *sum) {
    struct future *futures[JOBS];
    for (uintptr_t i = 0; i < JOBS; i++) {
        futures[i] = pool_submit(pool, squared, (void *)i);
    }
    for (int i = 0; i < JOBS; i++) {
        *(uintptr_t *)sum += (uintptr_t)future_wait(futures[i]);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[SUBMITTERS];
    uintptr_t sums[SUBMITTERS] = {0}, wanted = 0;
    for (uintptr_t i = 0; i < JOBS; i++) {
        wanted += i * i;
    }
    pool = pool_start(WORKERS);
    if (!pool) {
        return 1;
    }
    for (int i = 0; i < SUBMITTERS; i++) {
        pthread_create(&threads[i], NULL, submitter, &sums[i]);
    }
    for (int i = 0; i < SUBMITTERS; i++) {
        pthread_join(threads[i], NULL);
        if (sums[i] != wanted) {
            printf("sum is %lu\n", (unsigned long)sums[i]);
            return 1;
        }
    }
    pool_shutdown(pool);
    pool_free(pool);
    return 0;
}

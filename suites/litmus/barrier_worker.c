/* barrier_worker.c - workers in phases, kept apart by a barrier.
 *
 * Each worker writes its own cell, waits, and reads its neighbour's. The barrier
 * puts all writes of the first phase before all reads of the second; nothing
 * inside a phase conflicts. Deterministic without a single lock.
 *
 * label: clean
 * expect: clean
 * twin: barrier_missing.c */
#include <pthread.h>
#include <stdio.h>
#if __has_include(<heddle.h>)
#include <heddle.h>
#else
#define HEDDLE_DETERMINISTIC(name)
#endif

static pthread_barrier_t phase;
static int cells[2] = {1, 2};
static int sums[2];

static void *worker(void *arg) {
    int me = *(int *)arg;
    cells[me] *= 10;
    pthread_barrier_wait(&phase);
    sums[me] = cells[0] + cells[1];
    return NULL;
}

int main(void) {
    static int who[2] = {0, 1};
    pthread_barrier_init(&phase, NULL, 2);
    HEDDLE_DETERMINISTIC("phases") {
        pthread_t t1, t2;
        pthread_create(&t1, NULL, worker, &who[0]);
        pthread_create(&t2, NULL, worker, &who[1]);
        pthread_join(t1, NULL);
        pthread_join(t2, NULL);
    }
    printf("%d %d\n", sums[0], sums[1]);
    return 0;
}

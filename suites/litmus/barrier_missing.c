/* barrier_missing.c - workers in phases, and nothing keeps them apart.
 *
 * Without the barrier a worker may read its neighbour's cell before it is
 * written: 12 or 21 instead of 30.
 *
 * label: harmful
 * expect: race cells confirmed harmful
 * expect: determinism cells confirmed harmful
 * twin: barrier_worker.c */
#include <pthread.h>
#include <stdio.h>
#if __has_include(<heddle.h>)
#include <heddle.h>
#else
#define HEDDLE_DETERMINISTIC(name)
#endif

static int cells[2] = {1, 2};
static int sums[2];

static void *worker(void *arg) {
    int me = *(int *)arg;
    cells[me] *= 10;
    sums[me] = cells[0] + cells[1];
    return NULL;
}

int main(void) {
    static int who[2] = {0, 1};
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

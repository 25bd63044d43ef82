/* atomic_one_tally.c - both tallies in one word.
 *
 * Calls count in the upper half and bytes in the lower half of one atomic word: a call
 * is one step.
 *
 * label: clean
 * expect: clean
 * twin: atomic_two_tallies.c */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int both;

void tally(int size) { atomic_fetch_add(&both, 0x10000 + size); }

static void *one(void *arg) {
    (void)arg;
    tally(10);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    tally(20);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    int end = atomic_load(&both);
    printf("%d %d\n", end >> 16, end & 0xffff);
    return 0;
}

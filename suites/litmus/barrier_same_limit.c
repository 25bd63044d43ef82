/* barrier_same_limit.c - both compute the limit before they meet.
 *
 * Each thread computes the same limit and stores it, then they meet at the barrier and
 * use it. The stores race, with equal values.
 *
 * label: benign
 * expect: race limit confirmed benign
 * twin: barrier_limit_once.c */
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t meet;
static int limit;
static int used[2];

static void *one(void *arg) {
    (void)arg;
    limit = 8;
    pthread_barrier_wait(&meet);
    used[0] = limit;
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    limit = 2 * 4;
    pthread_barrier_wait(&meet);
    used[1] = limit;
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_barrier_init(&meet, NULL, 2);
    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d %d\n", used[0], used[1]);
    return 0;
}

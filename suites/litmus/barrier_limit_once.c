/* barrier_limit_once.c - one computes the limit, both use it after they met.
 *
 * Written before the barrier, changed by the other one after it: the barrier keeps the
 * two apart, though no lock does.
 *
 * label: clean
 * expect: clean
 * twin: barrier_same_limit.c */
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t meet;
static int limit;
static int used;

static void *one(void *arg) {
    (void)arg;
    limit = 8;
    pthread_barrier_wait(&meet);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    pthread_barrier_wait(&meet);
    limit++;
    used = limit;
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_barrier_init(&meet, NULL, 2);
    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d\n", used);
    return 0;
}

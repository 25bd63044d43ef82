/* redundant_compute.c - a cached result that may be computed twice.
 *
 * Both threads may find the cache empty and both store the result (read,
 * foreign write, write: a cycle). It is the same result, so nothing comes of it.
 *
 * label: benign
 * expect: atomicity square confirmed benign
 * twin: compute_counted.c */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int cache;
static int got[2];

int square(void) {
    int value = atomic_load(&cache);
    if (!value) {
        value = 7 * 7;
        atomic_store(&cache, value);
    }
    return value;
}

static void *first(void *arg) {
    (void)arg;
    got[0] = square();
    return NULL;
}

static void *second(void *arg) {
    (void)arg;
    got[1] = square();
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d %d\n", got[0], got[1]);
    return 0;
}

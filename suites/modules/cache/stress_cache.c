/* stress_cache.c - the usual stress test: many lookups of few keys, all values right.
 *
 * Passes with the defect, too: a second entry for a key holds the right value
 * until somebody invalidates it, and here nobody does. */
#include "cache.h"

#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, LOOKUPS = 1000, KEYS = 12 };

static struct cache cache;

static int squared(int key, void *context) {
    (void)context;
    return key * key;
}

static void *reader(void *wrong) {
    unsigned seed = (unsigned)(size_t)wrong;
    for (int i = 0; i < LOOKUPS; i++) {
        int key = rand_r(&seed) % KEYS;
        *(int *)wrong += cache_get(&cache, key) != key * key;
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    int wrong[THREADS] = {0}, total = 0;
    cache_init(&cache, 8, squared, NULL);
    for (int i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], NULL, reader, &wrong[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        total += wrong[i];
    }
    if (total != 0 || cache_count(&cache) > 8) {
        printf("%d wrong values\n", total);
        return 1;
    }
    cache_destroy(&cache);
    return 0;
}

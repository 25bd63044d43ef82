/* compute_counted.c - a cached result whose making has a price.
 *
 * The same cache, but each computation charges one unit of a budget of one. When
 * both threads find the cache empty, it is charged twice.
 *
 * label: harmful
 * expect: atomicity square confirmed harmful
 * expect: failure exit
 * twin: redundant_compute.c
 * twin: claim_by_cas.c */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int cache;
static atomic_int charged;

int square(void) {
    int value = atomic_load(&cache);
    if (!value) {
        atomic_fetch_add(&charged, 1);
        value = 7 * 7;
        atomic_store(&cache, value);
    }
    return value;
}

static void *user(void *arg) {
    (void)arg;
    (void)square();
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, user, NULL);
    pthread_create(&t2, NULL, user, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return atomic_load(&charged) == 1 ? 0 : 1;
}

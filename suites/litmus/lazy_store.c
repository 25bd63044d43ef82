/* lazy_store.c - two are made, both are published.
 *
 * Each step is atomic, the three together are not: both threads load nothing,
 * and the second store replaces an object that is already in use. The two
 * callers hold different objects.
 *
 * label: harmful
 * expect: atomicity get confirmed harmful
 * expect: failure assertion
 * twin: lazy_cas.c */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) instance;
static int *got[2];

int *get(void) {
    int *seen = atomic_load(&instance);
    if (!seen) {
        seen = malloc(sizeof *seen);
        if (!seen) {
            abort();
        }
        *seen = 42;
        atomic_store(&instance, seen);
    }
    return seen;
}

static void *first(void *arg) {
    (void)arg;
    got[0] = get();
    return NULL;
}

static void *second(void *arg) {
    (void)arg;
    got[1] = get();
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(got[0] == got[1]);
    return 0;
}

/* lazy_cas.c - two are made, one is published, one is thrown away.
 *
 * Both threads may find nothing and make an object each; the compare-exchange
 * lets one win and the loser frees its own and takes the winner's. The winner's
 * store between the loser's load and exchange is a cycle; every caller ends with
 * the same object all the same.
 *
 * label: benign
 * expect: atomicity get confirmed benign
 * twin: lazy_store.c */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) instance;
static int *got[2];

int *get(void) {
    int *seen = atomic_load(&instance);
    if (!seen) {
        int *made = malloc(sizeof *made);
        if (!made) {
            abort();
        }
        *made = 42;
        if (atomic_compare_exchange_strong(&instance, &seen, made)) {
            return made;
        }
        free(made);
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
    assert(got[0] == got[1] && *got[0] == 42);
    return 0;
}

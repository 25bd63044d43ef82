/* load_then_store.c - atomic steps, not an atomic addition.
 *
 * The variable is atomic, so there is no race; but load and store are two
 * steps, and an addition between them is overwritten: 1 or 2 instead of 3.
 *
 * label: harmful
 * expect: atomicity add confirmed harmful
 * expect: failure assertion
 * twin: cas_loop.c
 * twin: cas_max.c */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int total;

void add(int n) {
    int old = atomic_load(&total);
    atomic_store(&total, old + n);
}

static void *one(void *arg) {
    (void)arg;
    add(1);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    add(2);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(atomic_load(&total) == 3);
    return 0;
}

/* last_release.c - the last reference dropped once.
 *
 * The subtraction itself says what the count was, so exactly one thread learns
 * that it was the last. What it then does, it does alone: the other one's
 * subtraction came before.
 *
 * label: clean
 * expect: clean
 * twin: double_release.c */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int references;
    int value;
};

void release(struct object *o) {
    if (atomic_fetch_sub(&o->references, 1) == 1) {
        free(o);
    }
}

static void *holder(void *shared) {
    struct object *o = shared;
    assert(o->value == 7);
    release(o);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    struct object *o = malloc(sizeof *o);
    if (!o) {
        return 1;
    }
    o->references = 2;
    o->value = 7;
    pthread_create(&t1, NULL, holder, o);
    pthread_create(&t2, NULL, holder, o);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

/* double_release.c - the last reference dropped twice.
 *
 * release counts down and then asks for the count in a second step. Both
 * threads count down first and both find zero: the object is destroyed twice.
 * Serially only the second one finds zero.
 *
 * label: harmful
 * expect: atomicity release confirmed harmful
 * expect: failure assertion
 * twin: last_release.c */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct object {
    atomic_int references;
    atomic_int destroyed;
};

static struct object shared = {2, 0};

void release(struct object *o) {
    atomic_fetch_sub(&o->references, 1);
    if (atomic_load(&o->references) == 0) {
        int before = atomic_fetch_add(&o->destroyed, 1);
        assert(before == 0);
    }
}

static void *holder(void *arg) {
    (void)arg;
    release(&shared);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, holder, NULL);
    pthread_create(&t2, NULL, holder, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

/* lazy_init_race.c - first use makes the object, and two are first.
 *
 * Both threads find no object and both make one: two were made, and each thread
 * may hold another. The check and the store are unlocked: a race, too.
 *
 * label: harmful
 * expect: race instance confirmed harmful
 * expect: atomicity get confirmed harmful
 * expect: failure assertion
 * twin: lazy_init_once.c
 * twin: once_table.c */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int objects[2];
static atomic_int made;
static int *instance;

int *get(void) {
    if (!instance) {
        instance = &objects[atomic_fetch_add(&made, 1)];
    }
    return instance;
}

static void *user(void *arg) {
    (void)arg;
    (void)get();
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, user, NULL);
    pthread_create(&t2, NULL, user, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(atomic_load(&made) == 1);
    return 0;
}

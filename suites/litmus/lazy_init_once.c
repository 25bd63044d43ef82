/* lazy_init_once.c - first use makes the object, by pthread_once.
 *
 * Exactly one thread runs the initialiser, and its return happens before every
 * other return of pthread_once: one object, and no race on the pointer.
 *
 * label: clean
 * expect: clean
 * twin: lazy_init_race.c */
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int object;
static int made;
static int *instance;

static void make(void) {
    object = 42;
    made++;
    instance = &object;
}

int *get(void) {
    pthread_once(&once, make);
    return instance;
}

static void *user(void *arg) {
    (void)arg;
    assert(*get() == 42);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, user, NULL);
    pthread_create(&t2, NULL, user, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(made == 1);
    return 0;
}

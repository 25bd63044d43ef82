/* double_checked_early.c - the pointer is set before the object is complete.
 *
 * The unlocked look finds the pointer while the object is still being filled,
 * and the caller reads 0. Serially it reads 42.
 *
 * label: harmful
 * expect: race instance|object confirmed harmful
 * expect: atomicity get confirmed harmful
 * expect: failure assertion
 * twin: double_checked_locking.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int object;
static int *instance;

int *get(void) {
    if (!instance) {
        pthread_mutex_lock(&lock);
        if (!instance) {
            instance = &object;
            object = 42;
        }
        pthread_mutex_unlock(&lock);
    }
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
    return 0;
}

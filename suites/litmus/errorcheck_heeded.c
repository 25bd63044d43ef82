/* errorcheck_heeded.c - an error code that is used.
 *
 * EDEADLK tells the inner function that its caller holds the mutex, so it leaves
 * the mutex alone. Each worker's two counts are one region.
 *
 * label: clean
 * expect: clean
 * twin: errorcheck_ignored.c */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int count;

static void bump(void) {
    int held = pthread_mutex_lock(&lock) == EDEADLK;
    count++;
    if (!held) {
        pthread_mutex_unlock(&lock);
    }
}

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    bump();
    count++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_mutexattr_t checked;
    pthread_t t1, t2;
    pthread_mutexattr_init(&checked);
    pthread_mutexattr_settype(&checked, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &checked);
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(count == 4);
    return 0;
}

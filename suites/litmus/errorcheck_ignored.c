/* errorcheck_ignored.c - an error code nobody looked at.
 *
 * The inner lock fails with EDEADLK, because the caller holds the mutex already;
 * the inner unlock succeeds and gives the caller's lock away. What the caller
 * does afterwards is unprotected, and a count can be lost.
 *
 * label: harmful
 * expect: race count confirmed harmful
 * expect: failure assertion|misuse
 * twin: errorcheck_heeded.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int count;

static void bump(void) {
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
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

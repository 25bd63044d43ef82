/* trylock_backoff.c - the second lock only if it is free.
 *
 * The second thread wants the locks in the other order, but does not wait for
 * the second one: if it is taken it gives its first one back and starts over in
 * the common order. Nobody waits while holding b.
 *
 * label: clean
 * expect: clean
 * twin: trylock_ignored.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static int moved;

static void *forward(void *arg) {
    (void)arg;
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    moved++;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return NULL;
}

static void *backward(void *arg) {
    (void)arg;
    pthread_mutex_lock(&b);
    if (pthread_mutex_trylock(&a) != 0) {
        pthread_mutex_unlock(&b);
        pthread_mutex_lock(&a);
        pthread_mutex_lock(&b);
    }
    moved++;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, forward, NULL);
    pthread_create(&t2, NULL, backward, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(moved == 2);
    return 0;
}

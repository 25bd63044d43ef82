/* barrier_after_read.c - the writer waits at a barrier.
 *
 * The same two looks, with a barrier after them. Barriers are part of the order
 * that the checkers know: nothing is flagged, and nothing happens.
 *
 * label: clean
 * expect: clean
 * twin: flag_after_read.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t looked;
static int x;

void snapshot(void) {
    pthread_mutex_lock(&lock);
    int first = x;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    assert(x == first);
    pthread_mutex_unlock(&lock);
}

static void *looker(void *arg) {
    (void)arg;
    snapshot();
    pthread_barrier_wait(&looked);
    return NULL;
}

static void *writer(void *arg) {
    (void)arg;
    pthread_barrier_wait(&looked);
    pthread_mutex_lock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_barrier_init(&looked, NULL, 2);
    pthread_create(&t1, NULL, looker, NULL);
    pthread_create(&t2, NULL, writer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

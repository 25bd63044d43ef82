/* bounded_queue_if.c - if where while belongs.
 *
 * Two consumers, one item, and a broadcast at the end of the day. A consumer
 * that wakes up does not look again whether there is an item: it may have gone
 * to the other one, and the count goes below zero.
 *
 * label: harmful
 * expect: failure assertion
 * twin: bounded_queue.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items;
static int closed;

static void *consumer(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    if (items == 0 && !closed) {
        pthread_cond_wait(&changed, &lock);
    }
    if (!closed) {
        items--;
        assert(items >= 0);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, consumer, NULL);
    pthread_create(&t2, NULL, consumer, NULL);
    pthread_mutex_lock(&lock);
    items++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    closed = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

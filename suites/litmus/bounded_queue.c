/* bounded_queue.c - a queue of one place whose get waits inside.
 *
 * put waits while the queue is full, get while it is empty; the wait gives the
 * lock up in the middle of the function, which is what a wait is for and no
 * violation. Both items arrive, in order.
 *
 * label: clean
 * expect: clean
 * twin: bounded_queue_if.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int item;
static int full;

void put(int value) {
    pthread_mutex_lock(&lock);
    while (full) {
        pthread_cond_wait(&changed, &lock);
    }
    item = value;
    full = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

int get(void) {
    pthread_mutex_lock(&lock);
    while (!full) {
        pthread_cond_wait(&changed, &lock);
    }
    int value = item;
    full = 0;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return value;
}

static void *producer(void *arg) {
    (void)arg;
    put(1);
    put(2);
    return NULL;
}

static void *consumer(void *arg) {
    (void)arg;
    int first = get();
    int second = get();
    assert(first == 1 && second == 2);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, producer, NULL);
    pthread_create(&t2, NULL, consumer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

/* destroy_after_join.c - a mutex destroyed when nobody is left to need it.
 *
 * The join orders all the worker does before the destruction.
 *
 * label: clean
 * expect: clean
 * twin: destroy_in_use.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int count;

static void *worker(void *arg) {
    (void)arg;
    int failed = pthread_mutex_lock(&lock);
    assert(!failed);
    count++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_mutex_init(&lock, NULL);
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    int busy = pthread_mutex_destroy(&lock);
    assert(!busy);
    return count == 1 ? 0 : 1;
}

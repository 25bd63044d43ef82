/* destroy_in_use.c - a mutex destroyed while somebody needs it.
 *
 * main naps instead of joining and destroys the mutex. The worker may hold it,
 * wait for it or come for it later.
 *
 * label: harmful
 * expect: failure assertion|misuse
 * twin: destroy_after_join.c */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

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
    usleep(20000);
    int busy = pthread_mutex_destroy(&lock);
    assert(!busy);
    pthread_join(t, NULL);
    return 0;
}

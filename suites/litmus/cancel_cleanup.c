/* cancel_cleanup.c - a thread cancelled in its wait gives the lock back.
 *
 * The cleanup handler unlocks whether the thread ends by itself or is cancelled,
 * so main always gets the mutex.
 *
 * label: clean
 * expect: clean
 * twin: cancel_holding_lock.c */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int stop;

static void unlock(void *mutex) {
    pthread_mutex_unlock(mutex);
}

static void *sleeper(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    if (!stop) {
        pthread_cond_wait(&never, &lock);
    }
    pthread_cleanup_pop(1);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, sleeper, NULL);
    pthread_mutex_lock(&lock);
    stop = 1;
    pthread_mutex_unlock(&lock);
    pthread_cancel(t);
    pthread_join(t, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return 0;
}

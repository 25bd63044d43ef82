/* cancel_holding_lock.c - a thread cancelled in its wait keeps the lock.
 *
 * A wait that is cancelled takes the mutex back before the thread ends, and
 * without a cleanup handler nobody gives it back. If the sleeper is asleep when
 * the cancel comes, main waits for the mutex of a dead thread.
 *
 * label: harmful
 * expect: failure deadlock
 * twin: cancel_cleanup.c */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int stop;

static void *sleeper(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    if (!stop) {
        pthread_cond_wait(&never, &lock);
    }
    pthread_mutex_unlock(&lock);
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

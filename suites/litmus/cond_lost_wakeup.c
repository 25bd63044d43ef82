/* cond_lost_wakeup.c - a signal that nobody is there to hear.
 *
 * The waiter looks at the flag before it takes the lock. If the flag is set and
 * signalled between the look and the wait, the signal is gone and the waiter
 * sleeps for ever.
 *
 * label: harmful
 * expect: failure deadlock
 * twin: cond_while.c */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void *waiter(void *arg) {
    (void)arg;
    if (!atomic_load(&ready)) {
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&changed, &lock);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void *setter(void *arg) {
    (void)arg;
    atomic_store(&ready, 1);
    pthread_mutex_lock(&lock);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, waiter, NULL);
    pthread_create(&t2, NULL, setter, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

/* join_under_lock.c - main joins a thread that needs main's lock.
 *
 * main naps, takes the lock and joins. If the worker has not had the lock by
 * then, each waits for the other. No two locks are involved, so a lock graph
 * shows nothing.
 *
 * label: harmful
 * expect: deadlock lock confirmed harmful
 * expect: failure deadlock
 * twin: join_after_unlock.c */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    usleep(20000);
    pthread_mutex_lock(&lock);
    count++;
    pthread_join(t, NULL);
    pthread_mutex_unlock(&lock);
    return count == 2 ? 0 : 1;
}

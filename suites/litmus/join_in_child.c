/* join_in_child.c - a thread that is not main joins under a lock.
 *
 * `boss` makes a worker and joins it while it holds m, which the worker takes. Where
 * the worker has not been quicker, both stand still, and main waits for them.
 *
 * label: harmful
 * expect: deadlock m confirmed harmful
 * expect: failure deadlock
 * twin: join_after_unlock.c */
#include <pthread.h>

static pthread_mutex_t k = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *worker(void *arg) {
    (void)arg;
    pthread_mutex_lock(&m);
    done++;
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *boss(void *arg) {
    (void)arg;
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_mutex_lock(&m);
    pthread_join(t, NULL);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&k);
    pthread_create(&t, NULL, boss, NULL);
    pthread_mutex_unlock(&k);
    pthread_join(t, NULL);
    return done - 1;
}

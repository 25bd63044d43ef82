/* wait_holding.c - waiting in a loop for a flag, with the lock that its setter needs.
 *
 * The flag is no atomic, and every access to it is under the lock: no race. Where the
 * waiter comes first, it goes round for ever.
 *
 * label: harmful
 * expect: failure livelock
 * twin: wait_letting_go.c */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int ready;

static void *waiter(void *arg) {
    pthread_mutex_lock(&lock);
    while (!ready) {
    }
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *setter(void *arg) {
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, waiter, NULL);
    pthread_create(&t2, NULL, setter, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

/* spin_holding.c - spinning on an atomic flag, with the lock that its setter needs.
 *
 * No race, and each can go on as long as the other has not begun. Where the waiter
 * comes first, it spins for ever.
 *
 * label: harmful
 * expect: failure livelock
 * twin: wait_letting_go.c */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;

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

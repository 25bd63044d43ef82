/* timedlock_ab_ba.c - two orders, but one thread does not wait for ever.
 *
 * The same cycle as ab_ba, except that the second lock of one thread has a
 * deadline. When both stand between their locks the deadline passes, that
 * thread gives both up, and the other goes on: nobody stands still. The lock
 * model knows orders and no deadlines.
 *
 * label: refutable
 * expect: clean
 * twin: ab_ba.c */
#include <pthread.h>
#include <time.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static int moved;

static void *forward(void *arg) {
    (void)arg;
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    moved++;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return NULL;
}

static void *backward(void *arg) {
    (void)arg;
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec++;
    pthread_mutex_lock(&b);
    if (pthread_mutex_timedlock(&a, &deadline) == 0) {
        moved++;
        pthread_mutex_unlock(&a);
    }
    pthread_mutex_unlock(&b);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, forward, NULL);
    pthread_create(&t2, NULL, backward, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return moved < 1;
}

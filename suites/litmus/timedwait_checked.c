/* timedwait_checked.c - a timed wait that may end empty-handed.
 *
 * The loop ends when the flag is set or when time is up, and what follows asks
 * the flag, not the wait. Giving up is a result like any other.
 *
 * label: clean
 * expect: clean
 * twin: timedwait_trusted.c */
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;
static int used;

static void *waiter(void *arg) {
    (void)arg;
    struct timespec deadline;
    int late = 0;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec++;
    pthread_mutex_lock(&lock);
    while (!ready && !late) {
        late = pthread_cond_timedwait(&changed, &lock, &deadline) == ETIMEDOUT;
    }
    used = ready;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *setter(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    ready = 1;
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
    return used <= ready ? 0 : 1;
}

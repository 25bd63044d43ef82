/* timedwait_trusted.c - a timed wait whose end is taken for success.
 *
 * The wait ends when the flag was signalled or when time is up; the program
 * takes both for the former. If the deadline passes first, the flag is not set.
 *
 * label: harmful
 * expect: failure assertion
 * twin: timedwait_checked.c */
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waiter(void *arg) {
    (void)arg;
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec++;
    pthread_mutex_lock(&lock);
    if (!ready) {
        pthread_cond_timedwait(&changed, &lock, &deadline);
    }
    assert(ready);
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
    return 0;
}

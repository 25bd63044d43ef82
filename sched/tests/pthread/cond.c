/* cond.c - condition variables and barriers. */
#include "check.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static int go, woken, arrived, serials;

static void *waiter(void *arg) {
    (void)arg;
    pthread_mutex_lock(&mutex);
    while (!go) pthread_cond_wait(&cond, &mutex);
    woken++;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *taker(void *arg) { /* one signal, one of them */
    (void)arg;
    pthread_mutex_lock(&mutex);
    while (go == 0) pthread_cond_wait(&cond, &mutex);
    go--;
    woken++;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void waking(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++) t[i] = start(waiter, NULL);
    sleep(1);
    pthread_mutex_lock(&mutex);
    go = 1;
    EQ("broadcast", 0, pthread_cond_broadcast(&cond));
    EQ("nobody_runs_before_the_unlock", 0, woken);
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < 3; i++) finish(t[i]);
    EQ("all_woken", 3, woken);
    go = woken = 0;
    for (int i = 0; i < 3; i++) t[i] = start(taker, NULL);
    for (int i = 1; i <= 3; i++) {
        pthread_mutex_lock(&mutex);
        go++;
        EQ("signal", 0, pthread_cond_signal(&cond));
        pthread_mutex_unlock(&mutex);
    }
    for (int i = 0; i < 3; i++) finish(t[i]);
    EQ("each_signal_one", 3, woken);
    EQ("signal_to_nobody", 0, pthread_cond_signal(&cond));
    EQ("broadcast_to_nobody", 0, pthread_cond_broadcast(&cond));
}

static void times(void) {
    pthread_condattr_t attr;
    pthread_cond_t mono;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    EQ("init", 0, pthread_cond_init(&mono, &attr));
    pthread_mutex_lock(&mutex);
    struct timespec before, after, at = in_seconds(CLOCK_MONOTONIC, 3600);
    clock_gettime(CLOCK_MONOTONIC, &before);
    EQ("timedwait_monotonic", ETIMEDOUT, pthread_cond_timedwait(&mono, &mutex, &at));
    clock_gettime(CLOCK_MONOTONIC, &after);
    EQ("an_hour_passed", 3600, after.tv_sec - before.tv_sec);
    at = in_seconds(CLOCK_REALTIME, 3600);
    EQ("timedwait_real", ETIMEDOUT, pthread_cond_timedwait(&cond, &mutex, &at));
    at = in_seconds(CLOCK_MONOTONIC, 1);
    EQ("clockwait", ETIMEDOUT, pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &at));
    EQ("clockwait_other", EINVAL, pthread_cond_clockwait(&cond, &mutex, CLOCK_TAI, &at));
    at.tv_nsec = 1000000000;
    EQ("bad_time", EINVAL, pthread_cond_timedwait(&cond, &mutex, &at));
    at = (struct timespec){0, 0};
    EQ("past", ETIMEDOUT, pthread_cond_timedwait(&cond, &mutex, &at));
    pthread_mutex_unlock(&mutex);
    EQ("destroy", 0, pthread_cond_destroy(&mono));
    EQ("wait_unlocked_errorcheck", EPERM, pthread_cond_wait(&cond, &checking));
}

static void *arrive(void *arg) {
    (void)arg;
    for (int i = 0; i < 5; i++) {
        __atomic_fetch_add(&arrived, 1, __ATOMIC_SEQ_CST);
        int rc = pthread_barrier_wait(&barrier);
        if (__atomic_load_n(&arrived, __ATOMIC_SEQ_CST) < 3 * (i + 1)) printf("not ok early\n");
        if (rc == PTHREAD_BARRIER_SERIAL_THREAD) __atomic_fetch_add(&serials, 1, __ATOMIC_SEQ_CST);
        else if (rc != 0) printf("not ok barrier: %d\n", rc);
    }
    return NULL;
}

static void barriers(void) {
    EQ("barrier_none", EINVAL, pthread_barrier_init(&barrier, NULL, 0));
    EQ("barrier_init", 0, pthread_barrier_init(&barrier, NULL, 3));
    pthread_t a = start(arrive, NULL), b = start(arrive, NULL);
    arrive(NULL);
    finish(a);
    finish(b);
    EQ("one_serial_each", 5, serials);
    EQ("barrier_destroy", 0, pthread_barrier_destroy(&barrier));
    EQ("barrier_of_one", 0, pthread_barrier_init(&barrier, NULL, 1));
    EQ("alone_is_serial", PTHREAD_BARRIER_SERIAL_THREAD, pthread_barrier_wait(&barrier));
    pthread_barrier_destroy(&barrier);
}

int main(void) {
    waking();
    times();
    barriers();
    return 0;
}

/* cond_signal_wrong.c - one condition variable, two things to wait for.
 *
 * When both threads sleep, the signal for the first stage can wake the one that
 * waits for the second. It looks, sleeps again, and the other one was never
 * told: both sleep for ever. Which waiter a signal wakes is not ours to say.
 *
 * label: harmful
 * expect: failure deadlock
 * twin: cond_broadcast.c */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int stage;

static void *second(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    while (stage < 1) {
        pthread_cond_wait(&changed, &lock);
    }
    stage = 2;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *third(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    while (stage < 2) {
        pthread_cond_wait(&changed, &lock);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, second, NULL);
    pthread_create(&t2, NULL, third, NULL);
    pthread_mutex_lock(&lock);
    stage = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return stage == 2 ? 0 : 1;
}

/* ping_pong_cond.c - two threads in turns, by a condition variable.
 *
 * The ball is touched under the lock only, and whose turn it is stands beside
 * it. There are two threads and each waits for the other alone, so one signal
 * is enough.
 *
 * label: clean
 * expect: clean
 * twin: ping_pong.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static int right_turn;
static int ball;

static void *left(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    ball++;
    right_turn = 1;
    pthread_cond_signal(&turned);
    while (right_turn) {
        pthread_cond_wait(&turned, &lock);
    }
    assert(ball == 2);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *right(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    while (!right_turn) {
        pthread_cond_wait(&turned, &lock);
    }
    ball++;
    right_turn = 0;
    pthread_cond_signal(&turned);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, left, NULL);
    pthread_create(&t2, NULL, right, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

/* ping_pong.c - two threads in strict turns.
 *
 * Each thread waits for its own semaphore and posts the other's, so `ball` is
 * never touched by both. Bare by lock sets; ordered in every execution.
 *
 * label: refutable
 * expect: race ball refuted
 * twin: ping_pong_cond.c */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t left_turn, right_turn;
static int ball;

static void *left(void *arg) {
    (void)arg;
    sem_wait(&left_turn);
    ball++;
    sem_post(&right_turn);
    sem_wait(&left_turn);
    assert(ball == 2);
    return NULL;
}

static void *right(void *arg) {
    (void)arg;
    sem_wait(&right_turn);
    ball++;
    sem_post(&left_turn);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    sem_init(&left_turn, 0, 1);
    sem_init(&right_turn, 0, 0);
    pthread_create(&t1, NULL, left, NULL);
    pthread_create(&t2, NULL, right, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

/* clear_when_idle.c - cleared twice, when the other one is idle.
 *
 * The other thread stores only before it says that it is idle, and reset begins after
 * that was seen: nothing falls between its two regions.
 *
 * label: refutable
 * expect: atomicity reset refuted
 * twin: clear_twice.c */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t idle;
static int counter;

void reset(void) {
    pthread_mutex_lock(&lock);
    counter = 0;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    counter = 0;
    pthread_mutex_unlock(&lock);
}

static void *one(void *arg) {
    (void)arg;
    sem_wait(&idle);
    reset();
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    counter = 4;
    pthread_mutex_unlock(&lock);
    sem_post(&idle);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    sem_init(&idle, 0, 0);
    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d\n", counter);
    return 0;
}

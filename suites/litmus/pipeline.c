/* pipeline.c - a value worked on by three threads in turn.
 *
 * Each stage waits for the one before it and posts the one after it. The value
 * has no lock and one user at a time.
 *
 * label: refutable
 * expect: race value refuted
 * twin: message_passing_sleep.c */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t made, painted;
static int value;

static void *make(void *arg) {
    (void)arg;
    value = 1;
    sem_post(&made);
    return NULL;
}

static void *paint(void *arg) {
    (void)arg;
    sem_wait(&made);
    value += 10;
    sem_post(&painted);
    return NULL;
}

static void *pack(void *arg) {
    (void)arg;
    sem_wait(&painted);
    value += 100;
    return NULL;
}

int main(void) {
    pthread_t t1, t2, t3;
    sem_init(&made, 0, 0);
    sem_init(&painted, 0, 0);
    pthread_create(&t1, NULL, make, NULL);
    pthread_create(&t2, NULL, paint, NULL);
    pthread_create(&t3, NULL, pack, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    assert(value == 111);
    return 0;
}

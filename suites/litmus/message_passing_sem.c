/* message_passing_sem.c - data handed over by a semaphore.
 *
 * No lock protects `data`, so lock sets are empty and a lock-set checker flags
 * it. But the reader waits for the post that follows the write: every execution
 * orders the two.
 *
 * label: refutable
 * expect: race data refuted
 * twin: message_passing_sleep.c */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t sent;
static int data;

static void *sender(void *arg) {
    (void)arg;
    data = 42;
    sem_post(&sent);
    return NULL;
}

static void *receiver(void *arg) {
    (void)arg;
    sem_wait(&sent);
    assert(data == 42);
    data = 0;
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    sem_init(&sent, 0, 0);
    pthread_create(&t1, NULL, sender, NULL);
    pthread_create(&t2, NULL, receiver, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return data;
}

/* sem_as_lock.c - a semaphore used as a lock.
 *
 * One permit, taken and given back around the increment: that excludes as well
 * as a mutex does. Lock sets know mutexes only and find the counter bare.
 *
 * label: refutable
 * expect: race counter refuted
 * twin: sem_two_permits.c
 * twin: spin_lock_counter.c */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t permit;
static int counter;

static void *worker(void *arg) {
    (void)arg;
    sem_wait(&permit);
    counter++;
    sem_post(&permit);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    sem_init(&permit, 0, 1);
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(counter == 2);
    return 0;
}

/* sem_two_permits.c - a semaphore with one permit too many.
 *
 * Two permits for two threads exclude nobody. The increments race, and one can
 * be lost.
 *
 * label: harmful
 * expect: race counter confirmed harmful
 * expect: failure assertion
 * twin: sem_as_lock.c */
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
    sem_init(&permit, 0, 2);
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(counter == 2);
    return 0;
}

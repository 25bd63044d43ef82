/* detach_done.c - a detached thread that says when it is done.
 *
 * Nobody can join a detached thread, so it posts a semaphore after its last
 * write. main reads and changes the result after that: bare by lock sets, and
 * ordered.
 *
 * label: refutable
 * expect: race result refuted
 * twin: detach_nap.c */
#include <pthread.h>
#include <semaphore.h>

static sem_t done;
static int result;

static void *worker(void *arg) {
    (void)arg;
    result = 42;
    sem_post(&done);
    return NULL;
}

int main(void) {
    pthread_t t;
    sem_init(&done, 0, 0);
    pthread_create(&t, NULL, worker, NULL);
    pthread_detach(t);
    sem_wait(&done);
    result -= 42;
    return result;
}

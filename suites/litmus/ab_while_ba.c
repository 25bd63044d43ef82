/* ab_while_ba.c - two orders, and the post comes too soon.
 *
 * The first thread posts before it takes its locks, not after it has given them
 * back. The semaphore now orders nothing that matters, and each thread can hold
 * the lock that the other wants.
 *
 * label: harmful
 * expect: deadlock a b confirmed harmful
 * expect: failure deadlock
 * twin: ab_then_ba.c
 * twin: flag_then_ba.c */
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static sem_t done;
static int moved;

static void *forward(void *arg) {
    (void)arg;
    sem_post(&done);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    moved++;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return NULL;
}

static void *backward(void *arg) {
    (void)arg;
    sem_wait(&done);
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    moved--;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    sem_init(&done, 0, 0);
    pthread_create(&t1, NULL, forward, NULL);
    pthread_create(&t2, NULL, backward, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return moved;
}

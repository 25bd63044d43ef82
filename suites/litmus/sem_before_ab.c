/* sem_before_ab.c - opposite orders, and the semaphore is posted too early.
 *
 * The post comes before the first lock, so the second thread need not wait for the
 * first one to be through: each can hold what the other wants.
 *
 * label: harmful
 * expect: deadlock a|b confirmed harmful
 * expect: failure deadlock
 * twin: sem_then_ba.c */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int moved;
static sem_t through;

static void *one(void *arg) {
    (void)arg;
    sem_post(&through);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    moved++;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    sem_wait(&through);
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    moved++;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    sem_init(&through, 0, 0);
    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d\n", moved);
    return 0;
}

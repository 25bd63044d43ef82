/* add_in_two_alone.c - the two halves are added while nobody else does.
 *
 * The same two regions; the second thread waits until the first one has reported. What
 * could come in between is never there.
 *
 * label: refutable
 * expect: atomicity deposit refuted
 * twin: add_in_two.c */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t done;
static int balance;

void deposit(void) {
    pthread_mutex_lock(&lock);
    balance += 5;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    balance += 5;
    pthread_mutex_unlock(&lock);
}

static void *one(void *arg) {
    (void)arg;
    deposit();
    sem_post(&done);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    sem_wait(&done);
    deposit();
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    sem_init(&done, 0, 0);
    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d\n", balance);
    return 0;
}

/* transaction_halves_alone.c - two memory transactions while nobody else has one.
 *
 * The same two memory transactions; the second thread waits until the first one has
 * reported, so that nothing can come in between.
 *
 * label: refutable
 * expect: atomicity deposit refuted
 * twin: transaction_halves.c */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

#if __has_include(<heddle.h>)
#include <heddle.h>
#else
#define HEDDLE_TRANSACTION
#endif

static sem_t done;
static int balance;

void deposit(void) {
    HEDDLE_TRANSACTION {
        balance += 5;
    }
    HEDDLE_TRANSACTION {
        balance += 5;
    }
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

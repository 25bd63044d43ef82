/* transaction_halves.c - a sum in two memory transactions.
 *
 * deposit adds in two memory transactions where one would do. Another deposit can come
 * in between; the sum is the same.
 *
 * label: benign
 * expect: atomicity deposit confirmed benign
 * twin: transaction_halves_alone.c */
#include <pthread.h>
#include <stdio.h>

#if __has_include(<heddle.h>)
#include <heddle.h>
#else
#define HEDDLE_TRANSACTION
#endif

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
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    deposit();
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d\n", balance);
    return 0;
}

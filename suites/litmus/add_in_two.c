/* add_in_two.c - an amount is added in two halves.
 *
 * deposit adds the amount in two regions. Somebody can come in between, so it is not
 * atomic; but sums do not care for the order of their parts, and nobody looks before
 * the end.
 *
 * label: benign
 * expect: atomicity deposit confirmed benign
 * twin: add_in_two_alone.c */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
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

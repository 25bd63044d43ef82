/* same_value.c - two threads write the same thing without a lock.
 *
 * A race between two writes of 1: whichever comes last, the flag is 1. Both
 * orders give the same outcome. It is still undefined behaviour in C.
 *
 * label: benign
 * expect: race ready confirmed benign
 * twin: last_writer_wins.c
 * twin: fails_anyway.c */
#include <pthread.h>
#include <stdio.h>

static int ready;

static void *worker(void *arg) {
    (void)arg;
    ready = 1;
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("ready: %d\n", ready);
    return 0;
}

/* bytes_beside.c - two threads, each with a byte of its own, in one word.
 *
 * Objects of their own in memory: what is stored to one leaves the other alone.
 *
 * label: clean
 * expect: clean
 * twin: bits_beside.c */
#include <pthread.h>
#include <stdio.h>

static struct {
    unsigned char left, right;
} state;

static void *worker(void *arg) {
    state.left = 1;
    return arg;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, worker, NULL);
    state.right = 2;
    pthread_join(t1, NULL);
    printf("%u %u\n", state.left, state.right);
    return 0;
}

/* bits_beside.c - two threads, each with a bit-field of its own, in one byte.
 *
 * No field is shared, but a store to one reads the byte and writes it back with the
 * other as it was: a store in between is lost.
 *
 * label: harmful
 * unseen: the compiler tells of the store alone, so nothing can come between its two halves
 * expect: race state confirmed harmful
 * twin: bytes_beside.c */
#include <pthread.h>
#include <stdio.h>

static struct {
    unsigned left : 4, right : 4;
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

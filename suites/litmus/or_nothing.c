/* or_nothing.c - two threads set bits in a plain word; the bits are none.
 *
 * Each reads the word and writes it back as it is. That is a race although no write
 * changes anything.
 *
 * label: benign
 * expect: race word confirmed benign
 * twin: or_nothing_atomic.c */
#include <pthread.h>

static unsigned word = 5, bits;

static void *set(void *arg) {
    word |= bits;
    return arg;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, set, NULL);
    pthread_create(&t2, NULL, set, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return word == 5 ? 0 : 1;
}

/* or_nothing_atomic.c - two threads set bits in an atomic word; the bits are none.
 *
 * A read-modify-write that changes nothing is no race.
 *
 * label: clean
 * expect: clean
 * twin: or_nothing.c */
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint word = 5;
static unsigned bits;

static void *set(void *arg) {
    atomic_fetch_or(&word, bits);
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

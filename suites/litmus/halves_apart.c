/* halves_apart.c - halves of a word written by two threads, then read whole.
 *
 * Different sizes meet at the same bytes, but each half has one writer, and main reads
 * the whole after both have ended.
 *
 * label: clean
 * expect: clean
 * twin: halves_of_word.c */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static union {
    uint64_t whole;
    uint32_t half[2];
} word;

static void *low(void *arg) {
    word.half[0] = 1;
    return arg;
}

static void *high(void *arg) {
    word.half[1] = 1;
    return arg;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, low, NULL);
    pthread_create(&t2, NULL, high, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(word.whole == 0x0000000100000001);
    return 0;
}

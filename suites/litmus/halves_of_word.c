/* halves_of_word.c - a word that is written whole by one thread and by half by another.
 *
 * The two accesses have different sizes and addresses, and share four bytes. Where the
 * half is written first the whole wipes it out.
 *
 * label: harmful
 * expect: race word confirmed harmful
 * expect: failure assertion
 * twin: halves_apart.c */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static union {
    uint64_t whole;
    uint32_t half[2];
} word;

static void *fill(void *arg) {
    word.whole = 0x0101010101010101;
    return arg;
}

static void *clear(void *arg) {
    word.half[1] = 0;
    return arg;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, fill, NULL);
    pthread_create(&t2, NULL, clear, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(word.half[1] == 0);
    return 0;
}

/* seqlock_unchecked.c - a reader that does not look again.
 *
 * It waits for an even number and reads, but never asks whether the number has
 * changed meanwhile: the writer can start between the two loads. 1 and 5.
 *
 * label: harmful
 * expect: atomicity read_pair confirmed harmful
 * expect: failure assertion
 * twin: seqlock.c */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sequence;
static atomic_int left = 1;
static atomic_int right = 1;

int read_pair(void) {
    while (atomic_load(&sequence) % 2) {
    }
    int l = atomic_load(&left);
    int r = atomic_load(&right);
    return l == r;
}

static void *writer(void *arg) {
    (void)arg;
    atomic_store(&sequence, 1);
    atomic_store(&left, 5);
    atomic_store(&right, 5);
    atomic_store(&sequence, 2);
    return NULL;
}

static void *reader(void *arg) {
    (void)arg;
    assert(read_pair());
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, writer, NULL);
    pthread_create(&t2, NULL, reader, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

/* seqlock.c - a reader that looks again when a writer came by.
 *
 * The writer makes the sequence number odd, writes both values, makes it even.
 * A reader that met the writer sees an odd or a changed number and starts over:
 * a cycle, and a pair that fits all the same. The writer comes once, so the
 * reader starts over only while it is there.
 *
 * label: benign
 * expect: atomicity read_pair confirmed benign
 * twin: seqlock_unchecked.c */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sequence;
static atomic_int left = 1;
static atomic_int right = 1;

int read_pair(void) {
    int before, l, r;
    do {
        before = atomic_load(&sequence);
        l = atomic_load(&left);
        r = atomic_load(&right);
    } while (before % 2 || atomic_load(&sequence) != before);
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

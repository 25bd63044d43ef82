/* rwlock_reader_cycle.c - opposite orders of read locks.
 *
 * Readers do not exclude each other, and nobody ever writes while they run: each
 * gets its second lock whatever the other holds. An order graph without modes
 * shows a cycle.
 *
 * label: refutable
 * expect: clean
 * twin: rwlock_writer_cycle.c */
#include <pthread.h>

static pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t b = PTHREAD_RWLOCK_INITIALIZER;
static int x = 1;
static int y = 2;
static int sums[2];

static void *forward(void *arg) {
    (void)arg;
    pthread_rwlock_rdlock(&a);
    pthread_rwlock_rdlock(&b);
    sums[0] = x + y;
    pthread_rwlock_unlock(&b);
    pthread_rwlock_unlock(&a);
    return NULL;
}

static void *backward(void *arg) {
    (void)arg;
    pthread_rwlock_rdlock(&b);
    pthread_rwlock_rdlock(&a);
    sums[1] = x + y;
    pthread_rwlock_unlock(&a);
    pthread_rwlock_unlock(&b);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, forward, NULL);
    pthread_create(&t2, NULL, backward, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return sums[0] == 3 && sums[1] == 3 ? 0 : 1;
}

/* rwlock_writer_cycle.c - opposite orders, read first, write second.
 *
 * Each thread reads under its first lock and wants to write under the second,
 * which the other one holds for reading. Read locks exclude writers: both wait.
 *
 * label: harmful
 * expect: deadlock a b confirmed harmful
 * expect: failure deadlock
 * twin: rwlock_reader_cycle.c */
#include <pthread.h>

static pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t b = PTHREAD_RWLOCK_INITIALIZER;
static int x = 1;
static int y = 2;

static void *forward(void *arg) {
    (void)arg;
    pthread_rwlock_rdlock(&a);
    pthread_rwlock_wrlock(&b);
    y = x;
    pthread_rwlock_unlock(&b);
    pthread_rwlock_unlock(&a);
    return NULL;
}

static void *backward(void *arg) {
    (void)arg;
    pthread_rwlock_rdlock(&b);
    pthread_rwlock_wrlock(&a);
    x = y;
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
    return x == y ? 0 : 1;
}

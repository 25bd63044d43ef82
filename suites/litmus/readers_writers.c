/* readers_writers.c - two readers and a writer.
 *
 * Readers share the lock and only read; the writer has it alone and changes both
 * fields. A reader sees the pair before or after.
 *
 * label: clean
 * expect: clean
 * twin: rwlock_write_under_read.c */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int low = 1;
static int high = 1;

static void *reader(void *arg) {
    (void)arg;
    pthread_rwlock_rdlock(&lock);
    assert(low == high);
    pthread_rwlock_unlock(&lock);
    return NULL;
}

static void *writer(void *arg) {
    (void)arg;
    pthread_rwlock_wrlock(&lock);
    low = 2;
    high = 2;
    pthread_rwlock_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t1, t2, t3;
    pthread_create(&t1, NULL, reader, NULL);
    pthread_create(&t2, NULL, writer, NULL);
    pthread_create(&t3, NULL, reader, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    return 0;
}

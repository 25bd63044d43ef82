/* rwlock_recheck.c - read, then look again before writing.
 *
 * The look under the read lock is a hint; the one under the write lock decides.
 * The other thread's entry between the two looks is a cycle (read, foreign
 * write, read), and there is one entry in every interleaving.
 *
 * label: benign
 * expect: atomicity add_once confirmed benign
 * twin: rwlock_upgrade.c */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int entries;

void add_once(void) {
    pthread_rwlock_rdlock(&lock);
    int missing = entries == 0;
    pthread_rwlock_unlock(&lock);
    if (missing) {
        pthread_rwlock_wrlock(&lock);
        if (entries == 0) {
            entries++;
        }
        pthread_rwlock_unlock(&lock);
    }
}

static void *worker(void *arg) {
    (void)arg;
    add_once();
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(entries == 1);
    return 0;
}

/* rwlock_upgrade.c - read, then write, with a gap between.
 *
 * add_once looks under the read lock and adds under the write lock. A read lock
 * cannot be upgraded, so it is given back first; in the gap the other thread
 * adds. Two entries where serially there is one.
 *
 * label: harmful
 * expect: atomicity add_once confirmed harmful
 * expect: failure assertion
 * twin: rwlock_recheck.c */
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
        entries++;
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

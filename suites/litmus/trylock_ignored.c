/* trylock_ignored.c - trylock taken for lock.
 *
 * When the lock is busy, trylock says so and nobody listens: the thread goes on
 * without it. Its increment races with the owner's, and one is lost. (It skips
 * the unlock, so the owner's lock is not given away as well.)
 *
 * label: harmful
 * expect: race moved confirmed harmful
 * expect: failure assertion
 * twin: trylock_backoff.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static int moved;

static void *patient(void *arg) {
    (void)arg;
    pthread_mutex_lock(&a);
    moved++;
    pthread_mutex_unlock(&a);
    return NULL;
}

static void *hasty(void *arg) {
    (void)arg;
    int busy = pthread_mutex_trylock(&a);
    moved++;
    if (!busy) {
        pthread_mutex_unlock(&a);
    }
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, patient, NULL);
    pthread_create(&t2, NULL, hasty, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(moved == 2);
    return 0;
}

/* check_hint.c - a look without the lock before the look with it.
 *
 * The unlocked read of `pending` saves taking the lock when there is nothing to
 * do; whoever gets past it looks again under the lock. The read races with the
 * other's write, and that write between the two looks is a cycle. Still exactly
 * one thread does the work.
 *
 * label: benign
 * expect: race pending confirmed benign
 * expect: atomicity drain confirmed benign
 * twin: hint_trusted.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int pending = 1;
static int done;

void drain(void) {
    if (!pending) {
        return;
    }
    pthread_mutex_lock(&lock);
    if (pending) {
        pending = 0;
        done++;
    }
    pthread_mutex_unlock(&lock);
}

static void *worker(void *arg) {
    (void)arg;
    drain();
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(done == 1);
    return 0;
}

/* hint_trusted.c - a look without the lock, and none with it.
 *
 * The unlocked look decides alone. Both threads can get past it before either
 * clears the flag, and the work is done twice.
 *
 * label: harmful
 * expect: race pending confirmed harmful
 * expect: atomicity drain confirmed harmful
 * expect: failure assertion
 * twin: check_hint.c */
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
    pending = 0;
    done++;
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

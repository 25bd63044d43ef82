/* stale_increment.c - a stale copy inside a thread's own body.
 *
 * The split increment once more, but in the thread entry, which nobody expects
 * to be atomic as a whole: each lock region by itself is fine, and no checker of
 * transactions has anything to say. What is wrong is the copy that outlives its
 * lock: the other thread's store falls between copy and use and is lost. That the
 * store uses the copy is in registers, which no trace has: a guess, undecided.
 *
 * label: harmful
 * checkers: stale:flow=split
 * expect: stale-value count undecided
 * expect: failure assertion
 * twin: fresh_increment.c
 * twin: stale_handed_over.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *counter(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    int copy = count;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    count = copy + 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, counter, NULL);
    pthread_create(&t2, NULL, counter, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(count == 2);
    return 0;
}

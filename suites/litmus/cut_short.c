/* cut_short.c - the program always fails before a transaction can be seen through.
 *
 * main looks at what both has half done and then fails, as it does in every
 * interleaving. Whether both would have been interrupted nobody can tell: not
 * refuted, and not for want of time.
 *
 * label: harmful
 * expect: atomicity both undecided
 * expect: failure assertion
 * twin: fails_anyway.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

void both(void) {
    pthread_mutex_lock(&guard);
    x++;
    pthread_mutex_unlock(&guard);
    pthread_mutex_lock(&guard);
    y++;
    pthread_mutex_unlock(&guard);
}

static void *worker(void *arg) {
    both();
    return arg;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_mutex_lock(&guard);
    int seen = x;
    pthread_mutex_unlock(&guard);
    assert(seen == 5);
    pthread_join(t1, NULL);
    return 0;
}

/* flag_after_read.c - the writer waits for a flag.
 *
 * The reader looks twice, in two regions, and raises an atomic flag at the end.
 * The writer touches x only once it has seen the flag, so it is never between
 * the looks, though locks alone would let it. The flag is raised outside of the
 * flagged function: polling it is no part of the transaction.
 *
 * label: refutable
 * expect: atomicity snapshot refuted
 * twin: barrier_after_read.c */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int finished;
static int x;

void snapshot(void) {
    pthread_mutex_lock(&lock);
    int first = x;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    assert(x == first);
    pthread_mutex_unlock(&lock);
}

static void *looker(void *arg) {
    (void)arg;
    snapshot();
    atomic_store(&finished, 1);
    return NULL;
}

static void *writer(void *arg) {
    (void)arg;
    while (!atomic_load(&finished)) {
        sched_yield();
    }
    pthread_mutex_lock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, looker, NULL);
    pthread_create(&t2, NULL, writer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

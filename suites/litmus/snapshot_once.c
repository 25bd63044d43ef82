/* snapshot_once.c - two looks in one region need no semaphore.
 *
 * The writer may come any time: the lock keeps it out of the region.
 *
 * label: clean
 * expect: clean
 * twin: snapshot_then_go.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

void snapshot(void) {
    pthread_mutex_lock(&lock);
    int first = x;
    assert(x == first);
    pthread_mutex_unlock(&lock);
}

static void *writer(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *looker(void *arg) {
    (void)arg;
    snapshot();
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

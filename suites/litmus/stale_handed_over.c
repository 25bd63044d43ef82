/* stale_handed_over.c - a copy that outlives its lock and is not stale.
 *
 * Each thread copies the counter under the lock and stores the copy plus one in
 * a later region, as in stale_increment. But the second thread starts when the
 * first has finished: no foreign store can fall between copy and use.
 *
 * label: refutable
 * checkers: stale:flow=split
 * expect: stale-value count refuted
 * twin: stale_increment.c */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t go;
static int count;

static void increment(void) {
    pthread_mutex_lock(&lock);
    int copy = count;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    count = copy + 1;
    pthread_mutex_unlock(&lock);
}

static void *first(void *arg) {
    (void)arg;
    increment();
    sem_post(&go);
    return NULL;
}

static void *second(void *arg) {
    (void)arg;
    sem_wait(&go);
    increment();
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    sem_init(&go, 0, 0);
    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(count == 2);
    return 0;
}

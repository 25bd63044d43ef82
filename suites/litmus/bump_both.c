/* bump_both.c - two counters bumped one after the other.
 *
 * Two threads can pass each other between the regions: one is first on `hits`,
 * the other on `calls`. That is a cycle, but additions commute and nobody looks
 * before the end: 2 and 2, as after either serial order.
 *
 * label: benign
 * expect: atomicity bump confirmed benign
 * twin: bump_audited.c */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int hits;
static int calls;

void bump(void) {
    pthread_mutex_lock(&lock);
    hits++;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    calls++;
    pthread_mutex_unlock(&lock);
}

static void *worker(void *arg) {
    (void)arg;
    bump();
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d hits, %d calls\n", hits, calls);
    return 0;
}

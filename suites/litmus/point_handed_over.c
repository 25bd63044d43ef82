/* point_handed_over.c - a point moved in two steps, then handed over.
 *
 * The views are those of torn_point: {x}, {y} against {x, y}. But the reader
 * waits for a semaphore that the mover posts when both steps are done, so
 * nobody can look in between. Views know locks and no semaphores.
 *
 * label: refutable
 * expect: high-level-race x|y refuted
 * twin: torn_point.c */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t moved;
static int x;
static int y;

static void *mover(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    x = 3;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    y = 3;
    pthread_mutex_unlock(&lock);
    sem_post(&moved);
    return NULL;
}

static void *reader(void *arg) {
    (void)arg;
    sem_wait(&moved);
    pthread_mutex_lock(&lock);
    assert(x == y);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    sem_init(&moved, 0, 0);
    pthread_create(&t1, NULL, mover, NULL);
    pthread_create(&t2, NULL, reader, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

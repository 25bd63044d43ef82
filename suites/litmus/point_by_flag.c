/* point_by_flag.c - a point moved in two steps, read after a flag.
 *
 * The views are inconsistent as in torn_point, but the reader takes its look
 * only when the flag says that both steps are done.
 *
 * label: refutable
 * expect: high-level-race x|y refuted
 * twin: torn_point.c */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int moved;
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
    atomic_store(&moved, 1);
    return NULL;
}

static void *reader(void *arg) {
    (void)arg;
    while (!atomic_load(&moved)) {
        sched_yield();
    }
    pthread_mutex_lock(&lock);
    assert(x == y);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, mover, NULL);
    pthread_create(&t2, NULL, reader, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

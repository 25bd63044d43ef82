/* torn_point.c - a high-level race: a point moved in two steps.
 *
 * The mover is a thread body, so no transaction covers its two lock regions and
 * each access is well locked. The views tell: the reader takes {x, y} together,
 * the mover {x} and {y} apart. A reader in between sees x moved and y not.
 *
 * label: harmful
 * expect: high-level-race x|y confirmed harmful
 * expect: failure assertion
 * twin: point_handed_over.c
 * twin: point_by_flag.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
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
    return NULL;
}

static void *reader(void *arg) {
    (void)arg;
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

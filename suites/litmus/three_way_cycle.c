/* three_way_cycle.c - a cycle that no two transactions show.
 *
 * t1 sets x and, a region later, y. t2 carries x over to z. t3 takes z for a
 * promise that y is set. Any two of them are serializable; all three are not:
 * t1 sets x, t2 carries it, t3 looks, t1 sets y. Serially z means y.
 *
 * label: harmful
 * expect: atomicity t1 confirmed harmful
 * expect: failure assertion
 * twin: three_way_ordered.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x, y, z;

void t1(void) {
    pthread_mutex_lock(&lock);
    x = 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    y = 1;
    pthread_mutex_unlock(&lock);
}

void t2(void) {
    pthread_mutex_lock(&lock);
    if (x) {
        z = 1;
    }
    pthread_mutex_unlock(&lock);
}

void t3(void) {
    pthread_mutex_lock(&lock);
    assert(!z || y);
    pthread_mutex_unlock(&lock);
}

static void *run1(void *arg) {
    (void)arg;
    t1();
    return NULL;
}

static void *run2(void *arg) {
    (void)arg;
    t2();
    return NULL;
}

static void *run3(void *arg) {
    (void)arg;
    t3();
    return NULL;
}

int main(void) {
    pthread_t p1, p2, p3;
    pthread_create(&p1, NULL, run1, NULL);
    pthread_create(&p2, NULL, run2, NULL);
    pthread_create(&p3, NULL, run3, NULL);
    pthread_join(p1, NULL);
    pthread_join(p2, NULL);
    pthread_join(p3, NULL);
    return 0;
}

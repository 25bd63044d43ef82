/* three_way_ordered.c - the same three, with the promise kept.
 *
 * t1 sets y before x. Now x means y, so z means y: whatever t3 sees is true.
 * t1 is still two regions, and reduction flags it; but t2 only reads x, which
 * is written last, and t3 only reads y, which is written first. A cycle would
 * need t3 before t1's y and after t2, which is after t1's x: after t1's y.
 *
 * label: refutable
 * expect: atomicity t1 refuted
 * twin: three_way_cycle.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x, y, z;

void t1(void) {
    pthread_mutex_lock(&lock);
    y = 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    x = 1;
    pthread_mutex_unlock(&lock);
}

void t2(void) {
    pthread_mutex_lock(&lock);
    z = x;
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

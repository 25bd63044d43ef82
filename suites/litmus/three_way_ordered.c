/* three_way_ordered.c - the same three, with the promise kept.
 *
 * t1 sets y before x. Now x means y, so z means y: whatever t3 sees is true.
 * t1 is still two regions, and reduction flags it. A cycle must leave t1 at y
 * and come back at x, so it runs t1, t3, t2, t1: t3 looks at z before t2 writes
 * it, and t2 looks at x before t1 writes it. But then t2 sees 0 and writes
 * nothing. That is a data dependence, which no trace model knows.
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

/* deadlock_beside.c - a counter that loses counts, and a deadlock that has nothing to do with it.
 *
 * `count` reads and writes n in two critical sections; nobody looks at n. Afterwards the
 * two threads take m and k in different orders. They stand still in executions where
 * count was interrupted, as they do in those where it was not: by the letter that makes
 * the interruption harmful, and its reason says that serial executions fail so, too.
 *
 * label: harmful
 * expect: deadlock m k confirmed harmful
 * expect: atomicity count confirmed harmful
 * expect: failure deadlock
 * twin: ab_then_ba.c */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t k = PTHREAD_MUTEX_INITIALIZER;
static int n;

static int get(void) {
    pthread_mutex_lock(&m);
    int value = n;
    pthread_mutex_unlock(&m);
    return value;
}

static void set(int value) {
    pthread_mutex_lock(&m);
    n = value;
    pthread_mutex_unlock(&m);
}

void count(void) { set(get() + 1); }

static void *forward(void *arg) {
    (void)arg;
    count();
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&k);
    pthread_mutex_unlock(&k);
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *backward(void *arg) {
    (void)arg;
    count();
    pthread_mutex_lock(&k);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&k);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, forward, NULL);
    pthread_create(&t2, NULL, backward, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

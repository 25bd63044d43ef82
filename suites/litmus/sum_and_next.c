/* sum_and_next.c - a function of two critical sections, and a store that comes in between.
 *
 * `next` counts x and y up under both locks, then makes x the successor of y's new
 * value. A thread that sets y holds k only, so it may come between the store of y and
 * the load after it: x is then 3. No execution in which next runs as one step says so,
 * though in most of those where it does not x is 2 as well.
 *
 * label: harmful
 * expect: atomicity next confirmed harmful
 * expect: race y confirmed harmful
 * twin: whole_pair.c */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t k = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void set(int value) {
    pthread_mutex_lock(&k);
    y = value;
    pthread_mutex_unlock(&k);
}

void next(void) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&k);
    x++;
    y++;
    pthread_mutex_unlock(&k);
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    y = x;
    x = y + 1;
    pthread_mutex_unlock(&m);
}

static void *first(void *arg) {
    set(1);
    next();
    return arg;
}

static void *second(void *arg) {
    set(2);
    return arg;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("x is %d\n", x);
    return 0;
}

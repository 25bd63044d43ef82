/* limit_lowered.c - a limit is read, and kept to later.
 *
 * `take` reads the limit in one critical section and uses some in the next, if there is
 * room: then the second part writes, else it only reads. Both are one defect. It does no
 * harm: to lower the limit afterwards leaves the same.
 *
 * label: benign
 * expect: high-level-race limit used confirmed benign
 * twin: views_together.c */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int limit = 10, used;

static void *take(void *arg) {
    pthread_mutex_lock(&m);
    int most = limit;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    if (used + 6 <= most) used += 6;
    pthread_mutex_unlock(&m);
    return arg;
}

static void *lower(void *arg) {
    pthread_mutex_lock(&m);
    limit = 5;
    int over = used > limit;
    pthread_mutex_unlock(&m);
    (void)over;
    return arg;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, take, NULL);
    pthread_create(&t2, NULL, lower, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("the limit is %d\n", limit);
    return 0;
}

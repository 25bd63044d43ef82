/* copied_forward.c - a pair read in two parts, and a copy of what a third thread wrote.
 *
 * `peek` reads source and copy in two critical sections. One thread sets source, another
 * copies it. Both come in between: peek has the old source and the new copy, which is
 * never so. The copying thread only reads what peek read first; that it came later is
 * seen by what the third one wrote.
 *
 * label: harmful
 * expect: high-level-race source copy confirmed harmful
 * expect: atomicity peek confirmed harmful
 * twin: views_together.c */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int source, copy;

int peek(void) {
    pthread_mutex_lock(&m);
    int first = source;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    int second = copy;
    pthread_mutex_unlock(&m);
    return second && !first;
}

static void *look(void *arg) {
    if (peek()) puts("copied from nowhere");
    return arg;
}

static void *set(void *arg) {
    pthread_mutex_lock(&m);
    source = 1;
    pthread_mutex_unlock(&m);
    return arg;
}

static void *forward(void *arg) {
    pthread_mutex_lock(&m);
    copy = source;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t t1, t2, t3;
    pthread_create(&t1, NULL, look, NULL);
    pthread_create(&t2, NULL, set, NULL);
    pthread_create(&t3, NULL, forward, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    return 0;
}

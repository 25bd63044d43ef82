/* trylock_opposite.c - two locks in opposite orders, one of them only tried.
 *
 * One thread takes a and then b, the other b and then tries a. Who only tries never
 * waits, lets go of b, and goes on without: no cycle of waiting threads.
 *
 * label: refutable
 * expect: atomicity one refuted
 * expect: atomicity two refuted
 * twin: trylock_skip_note.c */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *one(void *arg) {
    (void)arg;
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    sum++;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    pthread_mutex_lock(&b);
    if (pthread_mutex_trylock(&a) == 0) {
        sum += 0;
        pthread_mutex_unlock(&a);
    }
    pthread_mutex_unlock(&b);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d\n", sum);
    return 0;
}

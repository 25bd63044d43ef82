/* atomic_before_ab.c - opposite orders, and the flag is set too early.
 *
 * The flag says through before the first lock was taken: the two can meet.
 *
 * label: harmful
 * expect: deadlock a|b confirmed harmful
 * expect: failure deadlock
 * twin: atomic_then_ba.c */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int moved;
static atomic_int through;

static void *one(void *arg) {
    (void)arg;
    atomic_store(&through, 1);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    moved++;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    if (atomic_load(&through)) {
        pthread_mutex_lock(&b);
        pthread_mutex_lock(&a);
        moved++;
        pthread_mutex_unlock(&a);
        pthread_mutex_unlock(&b);
    }
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d\n", moved);
    return 0;
}

/* hint_left_out.c - who comes first says so, and that is all.
 *
 * Both take the lock once, and which of them is first is decided there. Reduction
 * finds that a region which looks and then writes may be interrupted; the lock
 * keeps everybody out.
 *
 * label: refutable
 * expect: atomicity early refuted
 * expect: atomicity late refuted
 * twin: hint_beside_order.c */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int first;

static void *early(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    if (first == 0) {
        first = 1;
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *late(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    if (first == 0) {
        first = 2;
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, early, NULL);
    pthread_create(&t2, NULL, late, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return first == 0;
}

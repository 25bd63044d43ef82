/* hint_beside_order.c - a race that goes along with an order, and does not make it.
 *
 * Who comes first under the lock says so, and that is meant to depend on the
 * schedule. The early one leaves a hint before it takes the lock, the late one
 * looks at it after it has let go, and nobody uses it: a race. Where the hint is
 * looked at before it is left, the late one was first; but that was decided under
 * the lock, and after the same beginning both orders of the two end alike.
 *
 * label: harmful
 * expect: race hint confirmed benign
 * expect: failure exit
 * twin: hint_left_out.c */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int first;
static int hint;
static int seen;

static void *early(void *arg) {
    (void)arg;
    hint = 1;
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
    seen = hint;
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, early, NULL);
    pthread_create(&t2, NULL, late, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return first != 1;
}

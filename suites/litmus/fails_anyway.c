/* fails_anyway.c - a race that is not to blame for the failure beside it.
 *
 * Both threads note that there was work, without a lock, and write the same. What
 * is wrong is wrong in every interleaving: the sum was never made. The race runs in
 * both orders and the program fails in both.
 *
 * label: harmful
 * expect: race worked confirmed benign
 * expect: failure assertion
 * twin: same_value.c
 * twin: cut_short.c */
#include <assert.h>
#include <pthread.h>

static int worked, sum;

static void *worker(void *arg) {
    (void)arg;
    worked = 1;
    return NULL;
}

int main(void) {
    pthread_t t1;
    pthread_create(&t1, NULL, worker, NULL);
    worked = 1;
    pthread_join(t1, NULL);
    assert(sum == 1);
    return 0;
}

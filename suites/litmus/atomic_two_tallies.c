/* atomic_two_tallies.c - two tallies that are never compared.
 *
 * Every call counts once here and once there. A call can be interrupted between the
 * two, so it is not atomic; but only the ends are looked at, and these are the same in
 * every order.
 *
 * label: benign
 * expect: atomicity tally confirmed benign
 * twin: atomic_one_tally.c */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int calls, bytes;

void tally(int size) {
    atomic_fetch_add(&calls, 1);
    atomic_fetch_add(&bytes, size);
}

static void *one(void *arg) {
    (void)arg;
    tally(10);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    tally(20);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d %d\n", atomic_load(&calls), atomic_load(&bytes));
    return 0;
}

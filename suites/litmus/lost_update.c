/* lost_update.c - two deposits, one remembered.
 *
 * Every access to `balance` holds `guard`, so there is no data race and a race
 * checker must stay silent. The defect is that the lock is dropped between
 * looking and writing back. Wanted: a schedule where both threads look first;
 * it leaves 10, and either serial order leaves 20.
 *
 * label: harmful
 * expect: atomicity deposit confirmed harmful
 * expect: failure assertion
 * twin: one_lock_deposit.c
 * twin: optimistic_update.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int balance;

void deposit(int amount) {
    pthread_mutex_lock(&guard);
    int seen = balance;
    pthread_mutex_unlock(&guard);
    pthread_mutex_lock(&guard);
    balance = seen + amount;
    pthread_mutex_unlock(&guard);
}

static void *teller(void *arg) {
    (void)arg;
    deposit(10);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, teller, NULL);
    pthread_create(&t2, NULL, teller, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(balance == 20);
    return 0;
}

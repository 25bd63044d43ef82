/* optimistic_update.c - a deposit that checks a version before it writes back.
 *
 * The lock is dropped between looking and writing back, as in lost_update, but a
 * version number tells whether anybody was there meanwhile; if so the deposit is
 * done on the spot with the balance of now. Foreign deposits in the gap make
 * cycles, and no money is lost.
 *
 * label: benign
 * expect: atomicity deposit confirmed benign
 * twin: lost_update.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int balance;
static int version;

void deposit(int amount) {
    pthread_mutex_lock(&guard);
    int seen = balance;
    int seen_version = version;
    pthread_mutex_unlock(&guard);
    pthread_mutex_lock(&guard);
    balance = (version == seen_version ? seen : balance) + amount;
    version++;
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

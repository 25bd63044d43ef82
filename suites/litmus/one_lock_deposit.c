/* one_lock_deposit.c - two deposits, both remembered.
 *
 * Looking and writing back share one lock region, so deposits cannot overlap
 * and every interleaving is a serial one: 20, always.
 *
 * label: clean
 * expect: clean
 * twin: lost_update.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int balance;

void deposit(int amount) {
    pthread_mutex_lock(&guard);
    int seen = balance;
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

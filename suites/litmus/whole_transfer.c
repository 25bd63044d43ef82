/* whole_transfer.c - money that is always in one account.
 *
 * transfer and audit hold both locks, taken in the same order, so there is
 * neither a torn sum nor a lock cycle.
 *
 * label: clean
 * expect: clean
 * twin: torn_transfer.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock_a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock_b = PTHREAD_MUTEX_INITIALIZER;
static int a = 60;
static int b = 40;

void transfer(int amount) {
    pthread_mutex_lock(&lock_a);
    pthread_mutex_lock(&lock_b);
    a -= amount;
    b += amount;
    pthread_mutex_unlock(&lock_b);
    pthread_mutex_unlock(&lock_a);
}

void audit(void) {
    pthread_mutex_lock(&lock_a);
    pthread_mutex_lock(&lock_b);
    assert(a + b == 100);
    pthread_mutex_unlock(&lock_b);
    pthread_mutex_unlock(&lock_a);
}

static void *teller(void *arg) {
    (void)arg;
    transfer(10);
    return NULL;
}

static void *auditor(void *arg) {
    (void)arg;
    audit();
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, teller, NULL);
    pthread_create(&t2, NULL, auditor, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

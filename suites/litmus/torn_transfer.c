/* torn_transfer.c - money that is in no account for a moment.
 *
 * Each account has a lock. transfer locks one after the other, the audit holds
 * both: an audit between the two regions misses the money under way, 90 of 100.
 *
 * label: harmful
 * expect: atomicity transfer confirmed harmful
 * expect: failure assertion
 * twin: whole_transfer.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock_a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock_b = PTHREAD_MUTEX_INITIALIZER;
static int a = 60;
static int b = 40;

void transfer(int amount) {
    pthread_mutex_lock(&lock_a);
    a -= amount;
    pthread_mutex_unlock(&lock_a);
    pthread_mutex_lock(&lock_b);
    b += amount;
    pthread_mutex_unlock(&lock_b);
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

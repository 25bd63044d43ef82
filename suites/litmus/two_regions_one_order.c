/* two_regions_one_order.c - two regions, each with another thread to meet.
 *
 * report reads `limit` and `count` in two regions; one thread raises the one,
 * a third thread raises the other. report may come before the first and after
 * the second, and that is the serial order "second, report, first": the writers
 * have no order between them. Reduction flags it (locked twice), and so does any
 * check that takes the hand-overs of the lock itself for conflicts.
 *
 * label: refutable
 * expect: atomicity report refuted
 * twin: two_regions_two_orders.c */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int limit = 10;
static int count;
static int room;

void report(void) {
    pthread_mutex_lock(&lock);
    int most = limit;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    room = most - count;
    pthread_mutex_unlock(&lock);
}

static void *reporter(void *arg) {
    (void)arg;
    report();
    return NULL;
}

static void *raise_limit(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    limit = 20;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *raise_count(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    count = 5;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t1, t2, t3;
    pthread_create(&t1, NULL, reporter, NULL);
    pthread_create(&t2, NULL, raise_limit, NULL);
    pthread_create(&t3, NULL, raise_count, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    return room > 0 ? 0 : 1;
}

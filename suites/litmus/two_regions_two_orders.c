/* two_regions_two_orders.c - two regions, both met by the same thread.
 *
 * Now one thread raises the limit and then the count past the old limit. A
 * report that reads the old limit and the new count is before the one and after
 * the other, and program order closes the circle: the room is negative. A pair
 * of transactions is not enough to see it, the writer's two regions are two.
 *
 * label: harmful
 * expect: atomicity report confirmed harmful
 * expect: failure assertion
 * twin: two_regions_one_order.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int limit = 10;
static int count;

void report(void) {
    pthread_mutex_lock(&lock);
    int most = limit;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    assert(count <= most);
    pthread_mutex_unlock(&lock);
}

static void *reporter(void *arg) {
    (void)arg;
    report();
    return NULL;
}

static void *grower(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    limit = 20;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    count = 15;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, reporter, NULL);
    pthread_create(&t2, NULL, grower, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

/* stale_cache.c - a value kept past its lock.
 *
 * refresh copies `rate` in one lock region and stores a total computed from
 * the copy in the next. A reprice in between changes the rate and marks the
 * total unknown (0); the stale store then brings the old total back. Serial
 * orders leave 0 or 300; the cycle (refresh reads rate before reprice, writes
 * total after it) leaves 200 next to a rate of 3.
 *
 * label: harmful
 * expect: atomicity refresh confirmed harmful
 * expect: failure assertion
 * twin: fresh_cache.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int rate = 2;
static int total;

void refresh(void) {
    pthread_mutex_lock(&guard);
    int copy = rate;
    pthread_mutex_unlock(&guard);
    int computed = copy * 100;
    pthread_mutex_lock(&guard);
    total = computed;
    pthread_mutex_unlock(&guard);
}

void reprice(int now) {
    pthread_mutex_lock(&guard);
    rate = now;
    total = 0;
    pthread_mutex_unlock(&guard);
}

static void *clerk(void *arg) {
    (void)arg;
    refresh();
    return NULL;
}

static void *market(void *arg) {
    (void)arg;
    reprice(3);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, clerk, NULL);
    pthread_create(&t2, NULL, market, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(total == 0 || total == rate * 100);
    return 0;
}

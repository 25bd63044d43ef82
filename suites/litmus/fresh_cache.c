/* fresh_cache.c - a value used under the lock that fetched it.
 *
 * refresh reads the rate and stores the total in one lock region, so a reprice
 * comes before both or after both: the total is unknown (0) or belongs to the
 * rate that stands beside it.
 *
 * label: clean
 * expect: clean
 * twin: stale_cache.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int rate = 2;
static int total;

void refresh(void) {
    pthread_mutex_lock(&guard);
    total = rate * 100;
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

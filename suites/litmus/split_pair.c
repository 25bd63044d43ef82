/* split_pair.c - two fields meant to change together.
 *
 * set_pair writes `low` and `high` in two lock regions; the reader takes both
 * in one. The reader between the two regions sees half a change: set_pair is
 * before it on low and after it on high. Serial orders show 1,1 or 5,5.
 *
 * label: harmful
 * expect: atomicity set_pair confirmed harmful
 * expect: failure assertion
 * twin: whole_pair.c
 * twin: pair_either_way.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int low = 1;
static int high = 1;

void set_pair(int value) {
    pthread_mutex_lock(&guard);
    low = value;
    pthread_mutex_unlock(&guard);
    pthread_mutex_lock(&guard);
    high = value;
    pthread_mutex_unlock(&guard);
}

static void *writer(void *arg) {
    (void)arg;
    set_pair(5);
    return NULL;
}

static void *reader(void *arg) {
    (void)arg;
    pthread_mutex_lock(&guard);
    assert(low == high);
    pthread_mutex_unlock(&guard);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, writer, NULL);
    pthread_create(&t2, NULL, reader, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

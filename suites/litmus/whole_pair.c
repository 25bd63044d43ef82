/* whole_pair.c - two fields that do change together.
 *
 * Both writes are in one lock region and both reads in another, so the reader
 * sees the pair before or after the change, never in the middle.
 *
 * label: clean
 * expect: clean
 * twin: split_pair.c
 * twin: sum_and_next.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int low = 1;
static int high = 1;

void set_pair(int value) {
    pthread_mutex_lock(&guard);
    low = value;
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

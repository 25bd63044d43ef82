/* publish_index.c - what may be touched depends on an index.
 *
 * fill writes a slot in one region, checks it in the next and then publishes how
 * many slots are ready. The other thread overwrites slots below that number
 * only: in a trace where it came last it wrote the same slot, and by locks it
 * fits between write and check. It never does: before the number is published
 * there is nothing to overwrite.
 *
 * label: refutable
 * expect: clean
 * twin: publish_index_whole.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int slots[1];
static int ready;

void fill(void) {
    pthread_mutex_lock(&lock);
    slots[0] = 7;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    assert(slots[0] == 7);
    ready = 1;
    pthread_mutex_unlock(&lock);
}

static void *recycler(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < ready; i++) {
        slots[i] = 0;
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *filler(void *arg) {
    (void)arg;
    fill();
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, filler, NULL);
    pthread_create(&t2, NULL, recycler, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

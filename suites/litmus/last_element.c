/* last_element.c - the index of an element that has gone.
 *
 * last asks how many there are and fetches the last one in a second call. A
 * remove in between makes the index point past the end. Serially the index is
 * always good.
 *
 * label: harmful
 * expect: atomicity last confirmed harmful
 * expect: failure assertion
 * twin: last_element_locked.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[2] = {4, 7};
static int count = 2;

int size(void) {
    pthread_mutex_lock(&lock);
    int n = count;
    pthread_mutex_unlock(&lock);
    return n;
}

int get(int index) {
    pthread_mutex_lock(&lock);
    assert(index < count);
    int item = items[index];
    pthread_mutex_unlock(&lock);
    return item;
}

int last(void) {
    return get(size() - 1);
}

void remove_last(void) {
    pthread_mutex_lock(&lock);
    count--;
    pthread_mutex_unlock(&lock);
}

static void *reader(void *arg) {
    (void)arg;
    (void)last();
    return NULL;
}

static void *remover(void *arg) {
    (void)arg;
    remove_last();
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, reader, NULL);
    pthread_create(&t2, NULL, remover, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

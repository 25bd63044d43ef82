/* last_element_locked.c - size and fetch under one lock.
 *
 * The index is computed and used in the same region: it is always good.
 *
 * label: clean
 * expect: clean
 * twin: last_element.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[2] = {4, 7};
static int count = 2;

int last(void) {
    pthread_mutex_lock(&lock);
    int index = count - 1;
    assert(index < count);
    int item = items[index];
    pthread_mutex_unlock(&lock);
    return item;
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

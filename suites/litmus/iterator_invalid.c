/* iterator_invalid.c - an iteration over a list that changes under it.
 *
 * sum takes the lock anew for each element. A removal in between moves the
 * second element to the front and spoils its old place: the sum is 1 + -1.
 * Serially it is 3 (before the removal) or 2 (after it).
 *
 * label: harmful
 * expect: atomicity sum confirmed harmful
 * expect: failure assertion
 * twin: iterator_restart.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[2] = {1, 2};
static int count = 2;

int sum(void) {
    pthread_mutex_lock(&lock);
    int n = count;
    int total = items[0];
    pthread_mutex_unlock(&lock);
    if (n > 1) {
        pthread_mutex_lock(&lock);
        total += items[1];
        pthread_mutex_unlock(&lock);
    }
    return total;
}

void remove_first(void) {
    pthread_mutex_lock(&lock);
    items[0] = items[1];
    items[1] = -1;
    count = 1;
    pthread_mutex_unlock(&lock);
}

static void *reader(void *arg) {
    (void)arg;
    int total = sum();
    assert(total == 3 || total == 2);
    return NULL;
}

static void *remover(void *arg) {
    (void)arg;
    remove_first();
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

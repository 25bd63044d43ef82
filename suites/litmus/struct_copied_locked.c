/* struct_copied_locked.c - a struct is copied whole under the lock that its writer holds.
 *
 * Several accesses at once, all ordered by the lock.
 *
 * label: clean
 * expect: clean
 * twin: struct_copied.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct extent {
    long from, to, step;
} extent = {0, 0, 1};

static void *move(void *arg) {
    pthread_mutex_lock(&lock);
    extent.from = 7;
    extent.to = 7;
    pthread_mutex_unlock(&lock);
    return arg;
}

static void *look(void *arg) {
    pthread_mutex_lock(&lock);
    struct extent copy = extent;
    pthread_mutex_unlock(&lock);
    assert(copy.from <= copy.to);
    return arg;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, move, NULL);
    pthread_create(&t2, NULL, look, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

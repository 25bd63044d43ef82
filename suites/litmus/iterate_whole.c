/* iterate_whole.c - the elements are fetched in one lock region.
 *
 * label: clean
 * expect: clean
 * twin: iterate_counted.c */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[4] = {1, 2, 3, 4};
static int count = 4;

int sum(void) {
    int total = 0;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < count; i++) {
        assert(i < 4);
        total += items[i];
    }
    pthread_mutex_unlock(&lock);
    return total;
}

void drop_last(void) {
    pthread_mutex_lock(&lock);
    count--;
    pthread_mutex_unlock(&lock);
}

static void *dropper(void *arg) {
    drop_last();
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, dropper, NULL);
    int total = sum();
    pthread_join(thread, NULL);
    printf("%d\n", total);
    return 0;
}

/* iterate_counted.c - elements are fetched one by one, by a count asked for before.
 *
 * With four elements sum takes the lock five times, and is no small function there; where
 * one was removed before, four times. What happens in the longer runs counts all the same:
 * an index past the end.
 *
 * label: harmful
 * expect: atomicity sum confirmed harmful
 * expect: failure assertion
 * twin: iterate_whole.c */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items[4] = {1, 2, 3, 4};
static int count = 4;

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

int sum(void) {
    int total = 0;
    for (int i = 0, n = size(); i < n; i++) total += get(i);
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

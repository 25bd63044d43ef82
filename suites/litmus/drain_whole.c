/* drain_whole.c - all are taken out in one lock region.
 *
 * label: clean
 * expect: clean
 * twin: drain_counted.c */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items = 4;

void drain(void) {
    pthread_mutex_lock(&lock);
    while (items > 0) items--;
    pthread_mutex_unlock(&lock);
}

static void *other(void *arg) {
    pthread_mutex_lock(&lock);
    if (items > 0) items--;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    drain();
    pthread_join(thread, NULL);
    printf("%d\n", items);
    return 0;
}

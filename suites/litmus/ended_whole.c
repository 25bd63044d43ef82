/* ended_whole.c - both numbers change in one lock region.
 *
 * label: clean
 * expect: clean
 * twin: ended_halfway.c */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int a, b;

static void *writer(void *arg) {
    pthread_mutex_lock(&lock);
    a = 1;
    b = 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    pthread_mutex_lock(&lock);
    int x = a, y = b;
    pthread_mutex_unlock(&lock);
    if (x != y) {
        puts("they differ");
        return 0;
    }
    pthread_join(thread, NULL);
    puts("they agree");
    return 0;
}

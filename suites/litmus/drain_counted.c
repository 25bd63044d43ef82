/* drain_counted.c - as many are taken out as were there a moment ago.
 *
 * drain asks how many there are and takes so many, one at a time; with five lock
 * regions in the longest run it is no small function there, but it is in shorter ones,
 * and of both the question is the same. An item that somebody else takes in between is
 * taken twice, and the count falls below zero. Serially it never does.
 *
 * label: harmful
 * expect: atomicity drain confirmed harmful
 * twin: drain_whole.c */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items = 4;

int count(void) {
    pthread_mutex_lock(&lock);
    int n = items;
    pthread_mutex_unlock(&lock);
    return n;
}

void take(void) {
    pthread_mutex_lock(&lock);
    items--;
    pthread_mutex_unlock(&lock);
}

void drain(void) {
    for (int left = count(); left > 0; left--) take();
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

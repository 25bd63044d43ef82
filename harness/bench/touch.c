/* touch.c - a program with MAPPED megabytes of data, of which it touches 100 kB. */
#include <pthread.h>
#include <string.h>

#ifndef MAPPED
#define MAPPED 64
#endif
static char much[MAPPED << 20] = {1};
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *toucher(void *arg) {
    char *mine = much + (arg ? (MAPPED << 19) : 0);
    memset(mine, 1, 50 << 10);
    pthread_mutex_lock(&guard);
    much[(MAPPED << 20) - 1]++;
    pthread_mutex_unlock(&guard);
    return arg;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, NULL, toucher, much);
    toucher(NULL);
    pthread_join(other, NULL);
    return much[(MAPPED << 20) - 1] != 2;
}

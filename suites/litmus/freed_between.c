/* freed_between.c - looked up in one lock region, used in the next.
 *
 * Every access holds the lock, so nothing races; but drop may free what touch has
 * just looked up. That touch comes back to a block that is gone is the second half
 * of the cycle, and the failure.
 *
 * label: harmful
 * expect: atomicity touch confirmed harmful
 * expect: failure misuse
 * twin: held_reference.c */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *shared;

void touch(void) {
    pthread_mutex_lock(&lock);
    int *mine = shared;
    pthread_mutex_unlock(&lock);
    if (!mine) return;
    pthread_mutex_lock(&lock);
    *mine = 1;
    pthread_mutex_unlock(&lock);
}

void drop(void) {
    pthread_mutex_lock(&lock);
    free(shared);
    shared = NULL;
    pthread_mutex_unlock(&lock);
}

static void *toucher(void *arg) {
    touch();
    return arg;
}

int main(void) {
    pthread_t t1;
    shared = calloc(1, sizeof *shared);
    *shared = 0;
    pthread_create(&t1, NULL, toucher, NULL);
    drop();
    pthread_join(t1, NULL);
    return 0;
}

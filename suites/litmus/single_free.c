/* single_free.c - the first takes it, and nobody else finds it.
 *
 * `drop` takes the pointer away under the lock, so only one thread can free what
 * it points to.
 *
 * label: refutable
 * expect: atomicity drop refuted
 * twin: double_free.c */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int *kept;

void drop(void) {
    pthread_mutex_lock(&guard);
    int *mine = kept;
    kept = NULL;
    pthread_mutex_unlock(&guard);
    free(mine);
}

static void *dropper(void *arg) {
    drop();
    return arg;
}

int main(void) {
    pthread_t other;
    kept = malloc(sizeof *kept);
    pthread_create(&other, NULL, dropper, NULL);
    drop();
    pthread_join(other, NULL);
    return 0;
}

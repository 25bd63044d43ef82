/* double_free.c - two who both find something to throw away.
 *
 * `drop` looks under the lock, frees outside of it, and clears the pointer under
 * the lock again: both threads may have looked before either clears. What is freed
 * was never touched, so the frees alone must show it.
 *
 * label: harmful
 * expect: atomicity drop confirmed harmful
 * expect: race block confirmed harmful
 * expect: failure misuse
 * twin: single_free.c */
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int *kept;

void drop(void) {
    pthread_mutex_lock(&guard);
    int *mine = kept;
    pthread_mutex_unlock(&guard);
    if (mine) {
        free(mine);
        pthread_mutex_lock(&guard);
        kept = NULL;
        pthread_mutex_unlock(&guard);
    }
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

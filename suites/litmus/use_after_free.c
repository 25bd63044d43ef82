/* use_after_free.c - a pointer copied under the lock, used after it.
 *
 * The reader copies the pointer and lets the lock go before it looks at the
 * object; the remover unlinks, spoils and frees it in between. (It is spoilt so
 * that the damage shows without help from the allocator.)
 *
 * label: harmful
 * expect: failure assertion|crash|misuse
 * twin: held_reference.c */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *shared;

static void *reader(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    int *mine = shared;
    pthread_mutex_unlock(&lock);
    if (mine) {
        assert(*mine == 7);
    }
    return NULL;
}

static void *remover(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    int *old = shared;
    shared = NULL;
    pthread_mutex_unlock(&lock);
    *old = -1;
    free(old);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    shared = malloc(sizeof *shared);
    if (!shared) {
        return 1;
    }
    *shared = 7;
    pthread_create(&t1, NULL, reader, NULL);
    pthread_create(&t2, NULL, remover, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

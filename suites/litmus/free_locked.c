/* free_locked.c - whoever drops the last reference frees the object, still holding its lock.
 *
 * What is freed is locked: whoever waits for it waits in memory that is gone.
 *
 * label: harmful
 * expect: failure misuse
 * twin: free_unlocked.c */
#include <pthread.h>
#include <stdlib.h>

struct object {
    pthread_mutex_t lock;
    int references;
};

static void put(struct object *it) {
    pthread_mutex_lock(&it->lock);
    if (--it->references == 0) {
        free(it);
    } else {
        pthread_mutex_unlock(&it->lock);
    }
}

static void *worker(void *arg) {
    put(arg);
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct object *it = malloc(sizeof *it);
    pthread_mutex_init(&it->lock, NULL);
    it->references = 2;
    pthread_create(&thread, NULL, worker, it);
    put(it);
    pthread_join(thread, NULL);
    return 0;
}

/* free_unlocked.c - whoever drops the last reference lets its lock go, then frees the object.
 *
 * label: clean
 * expect: clean
 * twin: free_locked.c */
#include <pthread.h>
#include <stdlib.h>

struct object {
    pthread_mutex_t lock;
    int references;
};

static void put(struct object *it) {
    pthread_mutex_lock(&it->lock);
    int left = --it->references;
    pthread_mutex_unlock(&it->lock);
    if (left == 0) {
        pthread_mutex_destroy(&it->lock);
        free(it);
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

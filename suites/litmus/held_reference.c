/* held_reference.c - a pointer copied together with a reference.
 *
 * The reader counts itself in while it still has the lock, so the object lives
 * until it counts itself out; whoever counts out last frees it. All counting is
 * under the lock.
 *
 * label: clean
 * expect: clean
 * twin: use_after_free.c
 * twin: freed_between.c */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct object { int references, value; } *shared;

static void drop(struct object *o) {
    pthread_mutex_lock(&lock);
    int left = --o->references;
    pthread_mutex_unlock(&lock);
    if (!left) {
        free(o);
    }
}

static void *reader(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    struct object *mine = shared;
    if (mine) {
        mine->references++;
    }
    pthread_mutex_unlock(&lock);
    if (mine) {
        assert(mine->value == 7);
        drop(mine);
    }
    return NULL;
}

static void *remover(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    struct object *old = shared;
    shared = NULL;
    pthread_mutex_unlock(&lock);
    drop(old);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    shared = malloc(sizeof *shared);
    if (!shared) {
        return 1;
    }
    *shared = (struct object){1, 7};
    pthread_create(&t1, NULL, reader, NULL);
    pthread_create(&t2, NULL, remover, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

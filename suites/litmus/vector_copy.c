/* vector_copy.c - a vector made from another one that is being cleared.
 *
 * The constructor asks for the size, makes room, then copies the items: two
 * calls that lock, with nothing held between them. A clear in between leaves a
 * vector of two items that are not there. Serially the copy has two items or
 * none.
 *
 * label: harmful
 * expect: atomicity vector_from confirmed harmful
 * expect: failure assertion
 * twin: vector_copy_locked.c */
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct vector {
    pthread_mutex_t lock;
    int count;
    int data[2];
};

static struct vector source = {PTHREAD_MUTEX_INITIALIZER, 2, {7, 8}};

int vector_size(struct vector *v) {
    pthread_mutex_lock(&v->lock);
    int count = v->count;
    pthread_mutex_unlock(&v->lock);
    return count;
}

void vector_items(struct vector *v, int *out) {
    pthread_mutex_lock(&v->lock);
    for (int i = 0; i < v->count; i++) {
        out[i] = v->data[i];
    }
    pthread_mutex_unlock(&v->lock);
}

void vector_clear(struct vector *v) {
    pthread_mutex_lock(&v->lock);
    v->data[0] = v->data[1] = 0;
    v->count = 0;
    pthread_mutex_unlock(&v->lock);
}

void vector_from(struct vector *made, struct vector *from) {
    memset(made->data, 0, sizeof made->data);
    made->count = vector_size(from);
    vector_items(from, made->data);
}

static void *copier(void *arg) {
    (void)arg;
    struct vector copy;
    vector_from(&copy, &source);
    for (int i = 0; i < copy.count; i++) {
        assert(copy.data[i] != 0);
    }
    return NULL;
}

static void *clearer(void *arg) {
    (void)arg;
    vector_clear(&source);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, copier, NULL);
    pthread_create(&t2, NULL, clearer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

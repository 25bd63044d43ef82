/* connection.c - connections wait here for a worker, clients for their answer. */
#include "jigsaw.h"

enum { ROOM = 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_cond_t answered = PTHREAD_COND_INITIALIZER;
static struct connection *waiting[ROOM]; /* guarded by lock, as all below */
static int first, count;
static bool stopping;

void queue_put(struct connection *c) {
    pthread_mutex_lock(&lock);
    while (count == ROOM) pthread_cond_wait(&changed, &lock);
    waiting[(first + count) % ROOM] = c;
    count++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

struct connection *queue_take(void) {
    struct connection *c = NULL;
    pthread_mutex_lock(&lock);
    while (count == 0 && !stopping) pthread_cond_wait(&changed, &lock);
    if (count > 0) {
        c = waiting[first];
        first = (first + 1) % ROOM;
        count--;
        pthread_cond_broadcast(&changed);
    }
    pthread_mutex_unlock(&lock);
    return c;
}

void queue_answered(struct connection *c) {
    pthread_mutex_lock(&lock);
    c->answered = true;
    pthread_cond_broadcast(&answered);
    pthread_mutex_unlock(&lock);
}

void queue_await(struct connection *c) {
    pthread_mutex_lock(&lock);
    while (!c->answered) pthread_cond_wait(&answered, &lock);
    pthread_mutex_unlock(&lock);
}

void queue_stop(void) {
    pthread_mutex_lock(&lock);
    stopping = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

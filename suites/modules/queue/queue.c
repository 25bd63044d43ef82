/* queue.c - a ring of items behind one lock and two conditions. */
#include "queue.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

bool queue_init(struct queue *q, size_t capacity) {
    q->items = malloc(capacity * sizeof *q->items);
    if (!q->items) {
        return false;
    }
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->not_empty, NULL);
    pthread_cond_init(&q->not_full, NULL);
    q->capacity = capacity;
    q->head = 0;
    q->count = 0;
    atomic_init(&q->closed, false);
    return true;
}

void queue_destroy(struct queue *q) {
    pthread_cond_destroy(&q->not_full);
    pthread_cond_destroy(&q->not_empty);
    pthread_mutex_destroy(&q->lock);
    free(q->items);
    q->items = NULL;
}

/* Both with the lock held, and room or an item there. */
static void push(struct queue *q, int item) {
    q->items[(q->head + q->count) % q->capacity] = item;
    q->count++;
    pthread_cond_signal(&q->not_empty);
}

static int pop(struct queue *q) {
    int item = q->items[q->head];
    q->head = (q->head + 1) % q->capacity;
    q->count--;
    pthread_cond_signal(&q->not_full);
    return item;
}

bool queue_put(struct queue *q, int item) {
    pthread_mutex_lock(&q->lock);
    while (q->count == q->capacity && !atomic_load(&q->closed)) {
        pthread_cond_wait(&q->not_full, &q->lock);
    }
    bool open = !atomic_load(&q->closed);
    if (open) {
        push(q, item);
    }
    pthread_mutex_unlock(&q->lock);
    return open;
}

bool queue_get(struct queue *q, int *item) {
    pthread_mutex_lock(&q->lock);
    while (q->count == 0 && !atomic_load(&q->closed)) {
        pthread_cond_wait(&q->not_empty, &q->lock);
    }
    bool some = q->count > 0;
    if (some) {
        *item = pop(q);
    }
    pthread_mutex_unlock(&q->lock);
    return some;
}

bool queue_try_put(struct queue *q, int item) {
    pthread_mutex_lock(&q->lock);
    bool room = q->count < q->capacity && !atomic_load(&q->closed);
    if (room) {
        push(q, item);
    }
    pthread_mutex_unlock(&q->lock);
    return room;
}

bool queue_try_get(struct queue *q, int *item) {
    pthread_mutex_lock(&q->lock);
    bool some = q->count > 0;
    if (some) {
        *item = pop(q);
    }
    pthread_mutex_unlock(&q->lock);
    return some;
}

bool queue_get_within(struct queue *q, int *item, int milliseconds) {
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += milliseconds / 1000;
    deadline.tv_nsec += (long)(milliseconds % 1000) * 1000000;
    if (deadline.tv_nsec >= 1000000000) {
        deadline.tv_nsec -= 1000000000;
        deadline.tv_sec++;
    }
    pthread_mutex_lock(&q->lock);
    int late = 0;
    while (q->count == 0 && !atomic_load(&q->closed) && late != ETIMEDOUT) {
        late = pthread_cond_timedwait(&q->not_empty, &q->lock, &deadline);
    }
    bool some = q->count > 0;
    if (some) {
        *item = pop(q);
    }
    pthread_mutex_unlock(&q->lock);
    return some;
}

size_t queue_get_many(struct queue *q, int *items, size_t most) {
    size_t got = 0;
    pthread_mutex_lock(&q->lock);
    while (q->count == 0 && !atomic_load(&q->closed)) {
        pthread_cond_wait(&q->not_empty, &q->lock);
    }
    while (got < most && q->count > 0) {
        items[got++] = pop(q);
    }
    pthread_mutex_unlock(&q->lock);
    return got;
}

void queue_close(struct queue *q) {
#ifdef DEFECT
    /* The flag is atomic, so why take the lock? Because a getter that has just
     * seen it clear is on its way to sleep, and the broadcast comes before it
     * sleeps. Nobody wakes it any more. */
    atomic_store(&q->closed, true);
    pthread_cond_broadcast(&q->not_empty);
    pthread_cond_broadcast(&q->not_full);
#else
    pthread_mutex_lock(&q->lock);
    atomic_store(&q->closed, true);
    pthread_cond_broadcast(&q->not_empty);
    pthread_cond_broadcast(&q->not_full);
    pthread_mutex_unlock(&q->lock);
#endif
}

bool queue_is_closed(struct queue *q) { return atomic_load(&q->closed); }

size_t queue_count(struct queue *q) {
    pthread_mutex_lock(&q->lock);
    size_t count = q->count;
    pthread_mutex_unlock(&q->lock);
    return count;
}

/* queue.h - a bounded blocking queue.
 *
 * Any number of threads may put and get. put waits while the queue is full, get
 * while it is empty. Closing wakes everybody: from then on put refuses, and get
 * hands out what is left and then says that there is no more.
 *
 * All fields are guarded by `lock`. There are two conditions, because a thread
 * that waits for room and one that waits for an item must not take each other's
 * signal. */
#ifndef QUEUE_H
#define QUEUE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t not_empty;
    pthread_cond_t not_full;
    int *items;
    size_t capacity;
    size_t head; /* index of the oldest item */
    size_t count;
    atomic_bool closed; /* atomic for queue_is_closed, which takes no lock */
};

/* False: no memory. */
bool queue_init(struct queue *q, size_t capacity);
/* Nobody may be inside or come back. */
void queue_destroy(struct queue *q);

/* False: the queue is closed. */
bool queue_put(struct queue *q, int item);
/* False: the queue is closed and empty. */
bool queue_get(struct queue *q, int *item);

/* The same without waiting: false also when full, or empty. */
bool queue_try_put(struct queue *q, int item);
bool queue_try_get(struct queue *q, int *item);

/* Waits no longer than that; false also when time is up. */
bool queue_get_within(struct queue *q, int *item, int milliseconds);

/* At most `most` items in one go, at least one unless closed and empty. */
size_t queue_get_many(struct queue *q, int *items, size_t most);

void queue_close(struct queue *q);
bool queue_is_closed(struct queue *q);
size_t queue_count(struct queue *q);

#endif

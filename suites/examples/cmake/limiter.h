/* limiter.h - so many at a time and no more. */
#ifndef LIMITER_H
#define LIMITER_H

#include <pthread.h>
#include <stdbool.h>

struct limiter {
    pthread_mutex_t guard;
    int inside, most;
};

bool limiter_full(struct limiter *limiter);
bool limiter_enter(struct limiter *limiter); /* false: full */
void limiter_leave(struct limiter *limiter);

#endif

/* limiter.c - the defect: asking and entering are two steps. */
#include "limiter.h"

bool limiter_full(struct limiter *limiter) {
    pthread_mutex_lock(&limiter->guard);
    bool full = limiter->inside >= limiter->most;
    pthread_mutex_unlock(&limiter->guard);
    return full;
}

bool limiter_enter(struct limiter *limiter) {
    if (limiter_full(limiter)) return false;
    pthread_mutex_lock(&limiter->guard);
    limiter->inside++;
    pthread_mutex_unlock(&limiter->guard);
    return true;
}

void limiter_leave(struct limiter *limiter) {
    pthread_mutex_lock(&limiter->guard);
    limiter->inside--;
    pthread_mutex_unlock(&limiter->guard);
}

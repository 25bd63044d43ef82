/* door.c - two guests, one seat. */
#include "limiter.h"

#include <stdatomic.h>
#include <stdio.h>

static struct limiter seats = {PTHREAD_MUTEX_INITIALIZER, 0, 1};
static atomic_int seated, crowded;

static void *guest(void *arg) {
    if (limiter_enter(&seats)) {
        if (atomic_fetch_add(&seated, 1) > 0) crowded = 1;
        atomic_fetch_sub(&seated, 1);
        limiter_leave(&seats);
    }
    return arg;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, NULL, guest, NULL);
    guest(NULL);
    pthread_join(other, NULL);
    if (crowded) puts("two on one seat");
    return crowded;
}

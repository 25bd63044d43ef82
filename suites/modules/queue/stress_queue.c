/* stress_queue.c - the usual stress test: many threads, many items, count at the end.
 *
 * Passes with the defect, too: closing time comes once, and a getter would have
 * to be between its look and its sleep in that very moment. */
#include "queue.h"

#include <stdio.h>

enum { PUTTERS = 2, GETTERS = 2, ITEMS = 500 };

static struct queue q;

static void *putter(void *arg) {
    (void)arg;
    for (int i = 1; i <= ITEMS; i++) {
        queue_put(&q, i);
    }
    return NULL;
}

static void *getter(void *sum) {
    int item;
    while (queue_get(&q, &item)) {
        *(long *)sum += item;
    }
    return NULL;
}

int main(void) {
    pthread_t put[PUTTERS], get[GETTERS];
    long sums[GETTERS] = {0}, total = 0;
    if (!queue_init(&q, 8)) {
        return 1;
    }
    for (int i = 0; i < GETTERS; i++) {
        pthread_create(&get[i], NULL, getter, &sums[i]);
    }
    for (int i = 0; i < PUTTERS; i++) {
        pthread_create(&put[i], NULL, putter, NULL);
    }
    for (int i = 0; i < PUTTERS; i++) {
        pthread_join(put[i], NULL);
    }
    queue_close(&q);
    for (int i = 0; i < GETTERS; i++) {
        pthread_join(get[i], NULL);
        total += sums[i];
    }
    queue_destroy(&q);
    if (total != (long)PUTTERS * ITEMS * (ITEMS + 1) / 2) {
        printf("sum is %ld\n", total);
        return 1;
    }
    return 0;
}

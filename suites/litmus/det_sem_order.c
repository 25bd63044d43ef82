/* det_sem_order.c - two threads of a region, ordered by a semaphore.
 *
 * The second thread waits for the first one's post before it builds on its
 * result. There is one post and one waiter, so the order is always the same.
 *
 * label: clean
 * expect: clean
 * twin: det_sem_compete.c */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#if __has_include(<heddle.h>)
#include <heddle.h>
#else
#define HEDDLE_DETERMINISTIC(name)
#endif

static sem_t filled;
static int value;

static void *fill(void *arg) {
    (void)arg;
    value = 20;
    sem_post(&filled);
    return NULL;
}

static void *extend(void *arg) {
    (void)arg;
    sem_wait(&filled);
    value++;
    return NULL;
}

int main(void) {
    sem_init(&filled, 0, 0);
    HEDDLE_DETERMINISTIC("two stages") {
        pthread_t t1, t2;
        pthread_create(&t1, NULL, fill, NULL);
        pthread_create(&t2, NULL, extend, NULL);
        pthread_join(t1, NULL);
        pthread_join(t2, NULL);
    }
    printf("%d\n", value);
    return 0;
}

/* swap_reset.c - a reset in two parts meets a swap.
 *
 * swap holds the lock throughout; reset clears x and y in two regions. A swap
 * between them carries the old y into x, which is not cleared any more: 2 0.
 * Serial orders print 0 0. No data flows through reset, so a stale-value
 * checker is silent; block pairs and views both see it.
 *
 * label: harmful
 * expect: atomicity reset confirmed harmful
 * twin: swap_reset_whole.c */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x = 1;
static int y = 2;

void swap(void) {
    pthread_mutex_lock(&lock);
    int old_x = x;
    x = y;
    y = old_x;
    pthread_mutex_unlock(&lock);
}

void reset(void) {
    pthread_mutex_lock(&lock);
    x = 0;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    y = 0;
    pthread_mutex_unlock(&lock);
}

static void *swapper(void *arg) {
    (void)arg;
    swap();
    return NULL;
}

static void *resetter(void *arg) {
    (void)arg;
    reset();
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, swapper, NULL);
    pthread_create(&t2, NULL, resetter, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d %d\n", x, y);
    return 0;
}

/* swap_reset_whole.c - a reset in one part meets a swap.
 *
 * Both functions hold the lock throughout, so they run one after the other in
 * some order; after either order both coordinates are 0.
 *
 * label: clean
 * expect: clean
 * twin: swap_reset.c */
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

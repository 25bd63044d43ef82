/* progress_peek.c - a progress bar without a lock.
 *
 * The painter reads the progress while the worker writes it: a race. It draws
 * the bar clamped to what it knows to be sensible, which at this size is one
 * character either way.
 *
 * label: benign
 * expect: race progress confirmed benign
 * twin: progress_shown.c */
#include <pthread.h>
#include <stdio.h>

static int progress;

static void *worker(void *arg) {
    (void)arg;
    progress = 5;
    progress = 10;
    return NULL;
}

static void *painter(void *width) {
    int cells = progress / 10;
    *(int *)width = cells > 1 ? cells : 1;
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    int width = 0;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, painter, &width);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d\n", width);
    return 0;
}

/* progress_shown.c - a progress value without a lock, printed as it is.
 *
 * The number that is printed depends on who comes first: 0, 5 or 10.
 *
 * label: harmful
 * expect: race progress confirmed harmful
 * twin: progress_peek.c */
#include <pthread.h>
#include <stdio.h>

static int progress;

static void *worker(void *arg) {
    (void)arg;
    progress = 5;
    progress = 10;
    return NULL;
}

static void *painter(void *seen) {
    *(int *)seen = progress;
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    int seen = 0;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, painter, &seen);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d\n", seen);
    return 0;
}

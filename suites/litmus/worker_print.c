/* worker_print.c - worker loops that print.
 *
 * Each line is one call, and the stream has its own lock: lines may come in any
 * order but are never torn. Nothing else is shared.
 *
 * label: clean
 * expect: clean
 * twin: torn_line.c */
#include <pthread.h>
#include <stdio.h>

static void *worker(void *name) {
    for (int i = 0; i < 2; i++) {
        printf("%s %d\n", (const char *)name, i);
    }
    return NULL;
}

int main(void) {
    static char left[] = "left", right[] = "right";
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, left);
    pthread_create(&t2, NULL, worker, right);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

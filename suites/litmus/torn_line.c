/* torn_line.c - one line printed in two calls.
 *
 * The two calls are meant to be one line, and said to be. The other thread's
 * output can come between them: "left right 1" is printed by no serial run.
 *
 * label: harmful
 * unseen: output is ordered by schedules, but is no variable to the checkers
 * expect: atomicity line confirmed harmful
 * twin: worker_print.c */
#include <pthread.h>
#include <stdio.h>
#if __has_include(<heddle.h>)
#include <heddle.h>
#else
#define HEDDLE_ATOMIC(name)
#endif

static void *worker(void *name) {
    HEDDLE_ATOMIC("line") {
        printf("%s ", (const char *)name);
        printf("%d\n", 1);
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

/* pthread_exit_main.c - main leaves first, the process stays.
 *
 * main ends by pthread_exit, so the process lives until its last thread has
 * ended, and its status is 0. Nothing is shared.
 *
 * label: clean
 * expect: clean
 * twin: detach_nap.c */
#include <pthread.h>
#include <stdio.h>

static void *worker(void *name) {
    printf("%s done\n", (const char *)name);
    return NULL;
}

int main(void) {
    static char left[] = "left", right[] = "right";
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, left);
    pthread_create(&t2, NULL, worker, right);
    pthread_detach(t1);
    pthread_detach(t2);
    pthread_exit(NULL);
}

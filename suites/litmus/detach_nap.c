/* detach_nap.c - a detached thread that is given some time.
 *
 * main sleeps and hopes. If the worker is slower, the result is missing; the
 * exit status says so.
 *
 * label: harmful
 * expect: race result confirmed harmful
 * expect: failure exit
 * twin: detach_done.c
 * twin: pthread_exit_main.c */
#include <pthread.h>
#include <unistd.h>

static int result;

static void *worker(void *arg) {
    (void)arg;
    result = 42;
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_detach(t);
    usleep(20000);
    return result == 42 ? 0 : 1;
}

/* volatile_stop.c - a volatile flag that only says stop.
 *
 * One writer, one store, and the reader acts on nothing but the flag itself. It
 * may do one round or three, and reports none of them.
 *
 * label: clean
 * expect: clean
 * twin: volatile_counter.c
 * twin: plain_stop.c */
#include <pthread.h>
#include <stdio.h>

static volatile int stop;

static void *worker(void *arg) {
    (void)arg;
    int rounds = 0;
    while (!stop && rounds < 3) {
        rounds++;
    }
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    stop = 1;
    pthread_join(t, NULL);
    puts("stopped");
    return 0;
}

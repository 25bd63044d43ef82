/* plain_stop.c - a stop flag in a plain variable.
 *
 * The worker polls it without any order: a race, and a compiler may even read it
 * only once. Seen early or late, the worker stops, and nothing else depends on
 * the round in which it did.
 *
 * label: benign
 * expect: race stop confirmed benign
 * twin: volatile_stop.c */
#include <pthread.h>
#include <stdio.h>

static int stop;

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

/* racy_counter_three.c - the plainest race, by three.
 *
 * Three threads add one to a plain integer without a lock. Whichever two of them
 * are taken, both of their orders can end with 1, 2 and 3: the third one makes up
 * for either. That does not make the race harmless; after the same beginning, one
 * order loses a count and the other does not.
 *
 * label: harmful
 * expect: race counter confirmed harmful
 * twin: atomic_counter_three.c */
#include <pthread.h>
#include <stdio.h>

static int counter;

static void *worker(void *arg) {
    (void)arg;
    counter++;
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) {
        pthread_create(&threads[i], NULL, worker, NULL);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
    }
    printf("%d\n", counter);
    return 0;
}

/* sem_same_mode.c - both set the mode, and both to the same.
 *
 * Each thread sets the mode before it reports by the semaphore. Nothing orders the two
 * writes: a race of equal values. After both reports the mode is what it must be.
 *
 * label: benign
 * expect: race mode confirmed benign
 * twin: sem_mode_in_turn.c */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t done;
static int mode;

static void *one(void *arg) {
    (void)arg;
    mode = 2;
    sem_post(&done);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    mode = 2;
    sem_post(&done);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    sem_init(&done, 0, 0);
    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d\n", mode);
    return 0;
}

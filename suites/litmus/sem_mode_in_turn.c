/* sem_mode_in_turn.c - the mode is set in turn.
 *
 * The second one waits for the first one's report before it sets the mode. No lock is
 * held at either write, which looks like a race to who knows locks only; the semaphore
 * orders them in every execution.
 *
 * label: refutable
 * expect: race mode refuted
 * twin: sem_same_mode.c */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t done;
static int mode;

static void *one(void *arg) {
    (void)arg;
    mode = 1;
    sem_post(&done);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    sem_wait(&done);
    mode = 2;
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

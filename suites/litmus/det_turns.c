/* det_turns.c - two threads that take turns by a semaphore.
 *
 * The second thread stores when the first one has: the same order in every execution,
 * though both use the same variable.
 *
 * label: refutable
 * expect: race highest refuted
 * twin: det_max_either_way.c */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

#if __has_include(<heddle.h>)
#include <heddle.h>
#else
#define HEDDLE_DETERMINISTIC(name)
#endif

static sem_t turn;
static int highest;

static void *one(void *arg) {
    (void)arg;
    highest = 3;
    sem_post(&turn);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    sem_wait(&turn);
    highest += 2;
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    sem_init(&turn, 0, 0);
    HEDDLE_DETERMINISTIC("highest") {
        pthread_create(&t1, NULL, one, NULL);
        pthread_create(&t2, NULL, two, NULL);
        pthread_join(t1, NULL);
        pthread_join(t2, NULL);
    }
    printf("%d\n", highest);
    return 0;
}

/* det_sem_compete.c - two threads of a region compete for one permit.
 *
 * The permit goes round: each thread takes it, works on the value and gives it
 * back. Who comes first decides whether 3 is doubled and then increased or the
 * other way round: 7 or 8.
 *
 * label: harmful
 * expect: determinism permit|value confirmed harmful
 * twin: det_sem_order.c */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#if __has_include(<heddle.h>)
#include <heddle.h>
#else
#define HEDDLE_DETERMINISTIC(name)
#endif

static sem_t permit;
static int value = 3;

static void *twice(void *arg) {
    (void)arg;
    sem_wait(&permit);
    value *= 2;
    sem_post(&permit);
    return NULL;
}

static void *once_more(void *arg) {
    (void)arg;
    sem_wait(&permit);
    value++;
    sem_post(&permit);
    return NULL;
}

int main(void) {
    sem_init(&permit, 0, 1);
    HEDDLE_DETERMINISTIC("two stages") {
        pthread_t t1, t2;
        pthread_create(&t1, NULL, twice, NULL);
        pthread_create(&t2, NULL, once_more, NULL);
        pthread_join(t1, NULL);
        pthread_join(t2, NULL);
    }
    printf("%d\n", value);
    return 0;
}

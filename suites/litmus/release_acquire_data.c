/* release_acquire_data.c - data behind an atomic flag.
 *
 * The data is plain, the flag atomic: who sees the flag set comes after the write, who
 * does not leaves the data alone. No lock is held, and there is no race.
 *
 * label: refutable
 * expect: race data refuted
 * twin: release_relaxed_note.c */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int ready;
static int data;
static int got;

static void *one(void *arg) {
    (void)arg;
    data = 6;
    atomic_store(&ready, 1);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    if (atomic_load(&ready)) {
        data++;
    }
    got = 1;
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d\n", got);
    return 0;
}

/* release_relaxed_note.c - a note beside an atomic flag.
 *
 * The flag is atomic and right. Each thread also leaves its number in a plain variable
 * on the way: a race that decides only which number stays, and nobody reads it.
 *
 * label: benign
 * expect: race visitor confirmed benign
 * twin: release_acquire_data.c */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int ready;
static int visitor;

static void *one(void *arg) {
    (void)arg;
    visitor = 1;
    atomic_fetch_or(&ready, 1);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    visitor = 2;
    atomic_fetch_or(&ready, 2);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d\n", atomic_load(&ready));
    return 0;
}

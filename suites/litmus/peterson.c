/* peterson.c - mutual exclusion from loads and stores.
 *
 * Peterson's algorithm with sequentially consistent atomics: a thread says that
 * it wants in, gives the other one precedence, and spins while the other wants
 * in and has precedence. Lock sets see a bare counter; no execution has both
 * inside.
 *
 * label: refutable
 * expect: race counter refuted
 * twin: peterson_late.c */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];
static atomic_int turn;
static int counter;

static void enter(int me) {
    int other = 1 - me;
    atomic_store(&wants[me], 1);
    atomic_store(&turn, other);
    while (atomic_load(&wants[other]) && atomic_load(&turn) == other) {
    }
}

static void leave(int me) {
    atomic_store(&wants[me], 0);
}

static void *worker(void *arg) {
    int me = *(int *)arg;
    enter(me);
    counter++;
    leave(me);
    return NULL;
}

int main(void) {
    static int who[2] = {0, 1};
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, &who[0]);
    pthread_create(&t2, NULL, worker, &who[1]);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(counter == 2);
    return 0;
}

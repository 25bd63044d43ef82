/* peterson_late.c - mutual exclusion that looks before it speaks.
 *
 * The thread looks whether the other one wants in before it says that it does
 * itself. Both look, both see nobody, both go in.
 *
 * label: harmful
 * expect: race counter confirmed harmful
 * expect: failure assertion
 * twin: peterson.c
 * twin: flags_try.c */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];
static atomic_int turn;
static int counter;

static void enter(int me) {
    int other = 1 - me;
    atomic_store(&turn, other);
    while (atomic_load(&wants[other]) && atomic_load(&turn) == other) {
    }
    atomic_store(&wants[me], 1);
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

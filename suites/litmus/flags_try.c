/* flags_try.c - each says that it comes, then looks whether the other does.
 *
 * Both raise their own flag before they look at the other's, so at least one of
 * them sees the other and stays out. Whoever goes in is alone: the counter is
 * bare and never touched by both.
 *
 * label: refutable
 * expect: clean
 * twin: peterson_late.c */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int coming[2];
static int counter;

static void *worker(void *arg) {
    int me = *(int *)arg;
    atomic_store(&coming[me], 1);
    if (!atomic_load(&coming[1 - me])) {
        counter++;
    }
    return NULL;
}

int main(void) {
    static int who[2] = {0, 1};
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, &who[0]);
    pthread_create(&t2, NULL, worker, &who[1]);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(counter <= 1);
    return 0;
}

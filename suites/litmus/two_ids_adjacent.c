/* two_ids_adjacent.c - two numbers drawn that must be neighbours.
 *
 * The same draws as in two_ids, but the caller uses them as a range. When two
 * threads take turns, the range has a hole that belongs to the other one.
 *
 * label: harmful
 * expect: atomicity take_two confirmed harmful
 * expect: failure assertion
 * twin: two_ids.c */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next_id;

int take(void) {
    pthread_mutex_lock(&lock);
    int id = next_id++;
    pthread_mutex_unlock(&lock);
    return id;
}

void take_two(void) {
    int first = take();
    int second = take();
    assert(second == first + 1);
}

static void *worker(void *arg) {
    (void)arg;
    take_two();
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}

/* two_ids.c - two numbers drawn, not needed to be neighbours.
 *
 * Two threads draw two numbers each; they can take turns, which is a cycle (the
 * first draw before the other's, the second after it). All that matters is that
 * the numbers differ, and they do: drawn are 0 to 3, in every interleaving.
 *
 * label: benign
 * expect: atomicity take_two confirmed benign
 * twin: two_ids_adjacent.c */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next_id;
static int drawn[4];

int take(void) {
    pthread_mutex_lock(&lock);
    int id = next_id++;
    pthread_mutex_unlock(&lock);
    return id;
}

void take_two(void) {
    int first = take();
    int second = take();
    drawn[first] = 1;
    drawn[second] = 1;
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
    return drawn[0] + drawn[1] + drawn[2] + drawn[3] == 4 ? 0 : 1;
}

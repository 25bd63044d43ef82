/* mod_count.c - a counter that is read without its lock, harmlessly.
 *
 * add counts modifications under the lock; the reader looks at the counter
 * without it. That is a data race, and the value steers only which end of the
 * list is searched first, so both orders end the same. Reduction calls add
 * non-atomic because of the race (right mover, two non-movers, left mover); a
 * lone read between a read and a write is no violation: refuted.
 *
 * label: benign
 * expect: race mod_count confirmed benign
 * expect: atomicity add refuted
 * twin: mod_count_locked.c */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int mod_count;
static const int items[2] = {4, 7};

void add(void) {
    pthread_mutex_lock(&lock);
    mod_count++;
    pthread_mutex_unlock(&lock);
}

static void *adder(void *arg) {
    (void)arg;
    add();
    return NULL;
}

static void *finder(void *found) {
    int first = mod_count > 0 ? 1 : 0;
    if (items[first] == 7 || items[1 - first] == 7) {
        *(int *)found = 1;
    }
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    int found = 0;
    pthread_create(&t1, NULL, adder, NULL);
    pthread_create(&t2, NULL, finder, &found);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return found ? 0 : 1;
}

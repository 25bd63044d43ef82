/* hit_and_miss.c - two functions that each lose what the other one counts.
 *
 * A hit and a miss both add one to the same total, reading and writing it under
 * the lock, but not under the same one. Each of them alone could be excused: with
 * the hit as one step, one is still lost to the miss, and the other way round.
 * Only where both are one step is nothing lost.
 *
 * label: harmful
 * expect: atomicity on_hit confirmed harmful
 * expect: atomicity on_miss confirmed harmful
 * twin: hit_and_miss_whole.c */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

int get_total(void) {
    pthread_mutex_lock(&lock);
    int now = total;
    pthread_mutex_unlock(&lock);
    return now;
}

void set_total(int value) {
    pthread_mutex_lock(&lock);
    total = value;
    pthread_mutex_unlock(&lock);
}

void on_hit(void) { set_total(get_total() + 1); }

void on_miss(void) { set_total(get_total() + 1); }

static void *misses(void *arg) {
    (void)arg;
    on_miss();
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, misses, NULL);
    on_hit();
    pthread_join(thread, NULL);
    printf("%d\n", total);
    return 0;
}

/* hit_and_miss_whole.c - two functions that count in one lock region each.
 *
 * hit_and_miss repaired: the lock is held from the reading to the writing.
 *
 * label: clean
 * expect: clean
 * twin: hit_and_miss.c */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

static void add_one(void) {
    pthread_mutex_lock(&lock);
    total++;
    pthread_mutex_unlock(&lock);
}

void on_hit(void) { add_one(); }

void on_miss(void) { add_one(); }

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

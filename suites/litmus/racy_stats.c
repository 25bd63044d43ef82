/* racy_stats.c - a statistic that may miss a hit, and nobody minds.
 *
 * lookup counts its calls without a lock: a race, and two lookups can lose a
 * count between them (read, foreign write, write). The count is never used, the
 * answers are right in every interleaving.
 *
 * label: benign
 * expect: race hits confirmed benign
 * expect: atomicity lookup confirmed benign
 * twin: racy_stats_printed.c */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int table[2] = {3, 4};
static int hits;
static int sum;

void lookup(int key) {
    hits++;
    pthread_mutex_lock(&lock);
    sum += table[key];
    pthread_mutex_unlock(&lock);
}

static void *first(void *arg) {
    (void)arg;
    lookup(0);
    return NULL;
}

static void *second(void *arg) {
    (void)arg;
    lookup(1);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d\n", sum);
    return 0;
}

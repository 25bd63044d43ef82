/* racy_stats_printed.c - the same statistic, now reported.
 *
 * The lost count reaches the output: "1 hits" comes out of no serial order.
 *
 * label: harmful
 * expect: race hits confirmed harmful
 * expect: atomicity lookup confirmed harmful
 * twin: racy_stats.c */
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
    printf("%d in %d hits\n", sum, hits);
    return 0;
}

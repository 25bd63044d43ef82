/* timed_tries_inside.c - tries are counted under the timed lock.
 *
 * The count belongs to what the lock protects: no race, and the region is one step,
 * though reduction has its doubts about a sum that main reads without the lock.
 *
 * label: refutable
 * expect: atomicity one refuted
 * expect: atomicity two refuted
 * twin: timed_tries.c */
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static int tries;

static void *one(void *arg) {
    (void)arg;
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += 5;
    if (pthread_mutex_timedlock(&lock, &end) != 0) {
        pthread_mutex_lock(&lock);
    }
    tries++;
    sum += 2;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += 5;
    if (pthread_mutex_timedlock(&lock, &end) != 0) {
        pthread_mutex_lock(&lock);
    }
    tries++;
    sum += 2;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d\n", sum);
    return 0;
}

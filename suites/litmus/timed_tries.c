/* timed_tries.c - tries are counted beside a timed lock.
 *
 * Each thread takes the lock with a deadline, and without one if that has passed. It
 * counts its try when it has let go: a race on a number that nobody looks at.
 *
 * label: benign
 * expect: race tries confirmed benign
 * twin: timed_tries_inside.c */
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
    sum += 2;
    pthread_mutex_unlock(&lock);
    tries++;
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
    sum += 2;
    pthread_mutex_unlock(&lock);
    tries++;
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

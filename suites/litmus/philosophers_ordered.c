/* philosophers_ordered.c - three philosophers, forks by number.
 *
 * Each takes the fork with the smaller number first. Orders by number cannot
 * close into a circle.
 *
 * label: clean
 * expect: clean
 * twin: philosophers.c */
#include <pthread.h>

static pthread_mutex_t forks[3];

static void *philosopher(void *arg) {
    int i = *(int *)arg;
    int j = (i + 1) % 3;
    int first = i < j ? i : j;
    int second = i < j ? j : i;
    pthread_mutex_lock(&forks[first]);
    pthread_mutex_lock(&forks[second]);
    pthread_mutex_unlock(&forks[second]);
    pthread_mutex_unlock(&forks[first]);
    return NULL;
}

int main(void) {
    static int who[3] = {0, 1, 2};
    pthread_t t[3];
    for (int i = 0; i < 3; i++) {
        pthread_mutex_init(&forks[i], NULL);
    }
    for (int i = 0; i < 3; i++) {
        pthread_create(&t[i], NULL, philosopher, &who[i]);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(t[i], NULL);
    }
    return 0;
}

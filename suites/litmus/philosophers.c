/* philosophers.c - three philosophers, three forks.
 *
 * Each takes the fork on the left, then the one on the right. When all three
 * have a left fork, nobody gets a right one. No two of them form a cycle; it
 * takes all three.
 *
 * label: harmful
 * expect: deadlock forks confirmed harmful
 * expect: failure deadlock
 * twin: philosophers_ordered.c */
#include <pthread.h>

static pthread_mutex_t forks[3];

static void *philosopher(void *arg) {
    int i = *(int *)arg;
    pthread_mutex_lock(&forks[i]);
    pthread_mutex_lock(&forks[(i + 1) % 3]);
    pthread_mutex_unlock(&forks[(i + 1) % 3]);
    pthread_mutex_unlock(&forks[i]);
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

/* max_unlocked.c - the largest so far, compared before the lock is taken.
 *
 * Each thread compares outside of the lock and stores inside. Both may find their
 * number larger than nothing; who stores last wins, though it be the smaller. Each
 * of the two is now the one that reads, now the one that writes: the pair whose
 * orders matter is that of two particular threads.
 *
 * label: harmful
 * expect: race most confirmed harmful
 * twin: det_max_locked.c */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int most;

static void *offer(void *arg) {
    int mine = *(int *)arg;
    if (mine > most) {
        pthread_mutex_lock(&guard);
        most = mine;
        pthread_mutex_unlock(&guard);
    }
    return NULL;
}

int main(void) {
    static int numbers[] = {1, 2};
    pthread_t t1, t2;
    pthread_create(&t1, NULL, offer, &numbers[0]);
    pthread_create(&t2, NULL, offer, &numbers[1]);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d\n", most);
    return 0;
}

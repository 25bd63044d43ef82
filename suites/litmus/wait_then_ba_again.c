/* wait_then_ba_again.c - after the news the leader wants b once more.
 *
 * Between the leader's two visits to b, still holding a, the follower can take b
 * and then wait for a. Both stand still.
 *
 * label: harmful
 * expect: deadlock a b confirmed harmful
 * expect: failure deadlock
 * twin: wait_then_ba.c */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t stepped = PTHREAD_COND_INITIALIZER;
static int step;
static int visits;

static void *leader(void *arg) {
    (void)arg;
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    step = 1;
    pthread_cond_signal(&stepped);
    pthread_mutex_unlock(&b);
    pthread_mutex_lock(&b);
    visits++;
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return NULL;
}

static void *follower(void *arg) {
    (void)arg;
    pthread_mutex_lock(&b);
    while (!step) {
        pthread_cond_wait(&stepped, &b);
    }
    pthread_mutex_lock(&a);
    visits++;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, leader, NULL);
    pthread_create(&t2, NULL, follower, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return visits == 2 ? 0 : 1;
}

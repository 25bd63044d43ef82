/* wait_then_ba.c - the opposite order only after the news.
 *
 * The second thread holds b and wants a, but it gets that far only when it has
 * seen the step that the first thread made under a and b. From then on the first
 * thread only gives locks back, so it never wants what the second one holds. The
 * lock graph has the cycle; the condition is what it does not see.
 *
 * label: refutable
 * expect: deadlock a b refuted
 * twin: wait_then_ba_again.c */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t stepped = PTHREAD_COND_INITIALIZER;
static int step;

static void *leader(void *arg) {
    (void)arg;
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    step = 1;
    pthread_cond_signal(&stepped);
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
    step = 2;
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
    return step == 2 ? 0 : 1;
}

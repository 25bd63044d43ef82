/* two_of_three.c - two threads stand still for ever, and the program ends all the same.
 *
 * Nobody joins the two: main takes a nap and returns. Where each of them got one of the
 * locks by then, they never get the other, which nobody would notice.
 *
 * label: harmful
 * expect: deadlock left right confirmed harmful
 * expect: failure deadlock
 * twin: two_of_three_ordered.c */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;

static void *forward(void *arg) {
    pthread_mutex_lock(&left);
    pthread_mutex_lock(&right);
    pthread_mutex_unlock(&right);
    pthread_mutex_unlock(&left);
    return arg;
}

static void *backward(void *arg) {
    pthread_mutex_lock(&right);
    pthread_mutex_lock(&left);
    pthread_mutex_unlock(&left);
    pthread_mutex_unlock(&right);
    return arg;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, forward, NULL);
    pthread_create(&t2, NULL, backward, NULL);
    pthread_detach(t1);
    pthread_detach(t2);
    usleep(1000);
    return 0;
}

/* two_of_three_ordered.c - nobody waits for two threads, and they do not wait for each other.
 *
 * Both take the locks in the same order. Where main returns first they end in the middle,
 * which is no deadlock: one of them could have gone on.
 *
 * label: clean
 * expect: clean
 * twin: two_of_three.c */
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
    pthread_mutex_lock(&left);
    pthread_mutex_lock(&right);
    pthread_mutex_unlock(&right);
    pthread_mutex_unlock(&left);
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

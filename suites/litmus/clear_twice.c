/* clear_twice.c - cleared, and cleared again.
 *
 * reset clears the counter, lets the lock go, and clears it again. A store of the other
 * thread can fall in between; it is cleared like one that came before.
 *
 * label: benign
 * expect: atomicity reset confirmed benign
 * twin: clear_when_idle.c */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter, ended;

void reset(void) {
    pthread_mutex_lock(&lock);
    counter = 0;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    counter = 0;
    ended = 1;
    pthread_mutex_unlock(&lock);
}

static void *one(void *arg) {
    (void)arg;
    reset();
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    if (!ended) {
        counter = 4;
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d\n", counter);
    return 0;
}

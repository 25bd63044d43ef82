/* views_after_post.c - two fields apart, after the writer has gone.
 *
 * The same two regions of the reader; it begins when the writer has reported. Nobody is
 * there to come in between.
 *
 * label: refutable
 * expect: high-level-race low|high refuted
 * twin: views_either_side.c */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t moved;
static int low = 1, high = 9;
static int there;

void both_there(void) {
    pthread_mutex_lock(&lock);
    int a = low;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    int b = high;
    pthread_mutex_unlock(&lock);
    there = a > 0 && b > 0;
}

static void *one(void *arg) {
    (void)arg;
    pthread_mutex_lock(&lock);
    low = 2;
    high = 8;
    pthread_mutex_unlock(&lock);
    sem_post(&moved);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    sem_wait(&moved);
    both_there();
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    sem_init(&moved, 0, 0);
    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d\n", there);
    return 0;
}

/* views_either_side.c - two fields together here, apart there, and no matter.
 *
 * The writer moves both ends under one lock; the reader looks at them in two regions.
 * It can see one end of before and one of after; it only asks whether each is there,
 * which both always are.
 *
 * label: benign
 * expect: high-level-race low|high confirmed benign
 * twin: views_after_post.c */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
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
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    both_there();
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d\n", there);
    return 0;
}

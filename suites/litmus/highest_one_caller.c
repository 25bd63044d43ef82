/* highest_one_caller.c - two regions, but only one caller at a time.
 *
 * A second lock is held around every call, so the two regions of note_high are never
 * apart for others.
 *
 * label: refutable
 * expect: atomicity note_high refuted
 * twin: highest_in_two.c */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
static int highest;

void note_high(int value) {
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&lock);
    int known = highest;
    pthread_mutex_unlock(&lock);
    if (value > known) {
        pthread_mutex_lock(&lock);
        highest = value;
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_unlock(&outer);
}

static void *one(void *arg) {
    (void)arg;
    note_high(3);
    return NULL;
}

static void *two(void *arg) {
    (void)arg;
    note_high(5);
    return NULL;
}

int main(void) {
    pthread_t t1, t2;
    pthread_create(&t1, NULL, one, NULL);
    pthread_create(&t2, NULL, two, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    printf("%d\n", highest);
    return 0;
}

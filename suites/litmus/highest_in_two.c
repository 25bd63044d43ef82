/* highest_in_two.c - the highest value, looked at and stored in two regions.
 *
 * note_high looks under the lock whether its value is higher, and stores it in another
 * region after it has looked again. What was seen first may be old by then; the second
 * look makes up for it.
 *
 * label: benign
 * expect: atomicity note_high confirmed benign
 * twin: highest_one_caller.c */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int highest;

void note_high(int value) {
    pthread_mutex_lock(&lock);
    int known = highest;
    pthread_mutex_unlock(&lock);
    if (value <= known) {
        return;
    }
    pthread_mutex_lock(&lock);
    if (value > highest) {
        highest = value;
    }
    pthread_mutex_unlock(&lock);
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

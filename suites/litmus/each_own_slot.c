/* each_own_slot.c - the result does not depend on the schedule.
 *
 * Each thread writes a slot of its own and the parent reads both after the
 * joins, so no two operations of the region conflict: the text is LR.
 *
 * label: clean
 * expect: clean
 * twin: order_decides.c */
#include <pthread.h>
#include <stdio.h>
#if __has_include(<heddle.h>)
#include <heddle.h>
#else
#define HEDDLE_DETERMINISTIC(name)
#endif

static char text[3];

static void *put_left(void *arg) {
    (void)arg;
    text[0] = 'L';
    return NULL;
}

static void *put_right(void *arg) {
    (void)arg;
    text[1] = 'R';
    return NULL;
}

int main(void) {
    HEDDLE_DETERMINISTIC("join two halves") {
        pthread_t t1, t2;
        pthread_create(&t1, NULL, put_left, NULL);
        pthread_create(&t2, NULL, put_right, NULL);
        pthread_join(t1, NULL);
        pthread_join(t2, NULL);
    }
    puts(text);
    return 0;
}

/* det_sum_slots.c - a sum made of parts that are added up at the end.
 *
 * Each thread works on its own part; the parent adds them up after the joins. No
 * two concurrent operations conflict.
 *
 * label: clean
 * expect: clean
 * twin: det_sum_locked.c */
#include <pthread.h>
#include <stdio.h>
#if __has_include(<heddle.h>)
#include <heddle.h>
#else
#define HEDDLE_DETERMINISTIC(name)
#endif

static void *square(void *part) {
    *(int *)part *= *(int *)part;
    return NULL;
}

int main(void) {
    static int parts[2] = {1, 2};
    HEDDLE_DETERMINISTIC("sum") {
        pthread_t t1, t2;
        pthread_create(&t1, NULL, square, &parts[0]);
        pthread_create(&t2, NULL, square, &parts[1]);
        pthread_join(t1, NULL);
        pthread_join(t2, NULL);
    }
    printf("%d\n", parts[0] + parts[1]);
    return 0;
}

/* quicksort_overlap.c - a parallel sort of two parts that overlap.
 *
 * The halves are taken without splitting at a pivot first, and both contain the
 * middle element. Its reads and writes race; what comes out depends on who moves
 * it when, and can even hold an element twice.
 *
 * label: harmful
 * expect: race a confirmed harmful
 * expect: determinism a confirmed harmful
 * twin: quicksort.c */
#include <pthread.h>
#include <stdio.h>
#if __has_include(<heddle.h>)
#include <heddle.h>
#else
#define HEDDLE_DETERMINISTIC(name)
#endif

static int a[3] = {3, 2, 1};

static void order(int i, int j) {
    if (a[i] > a[j]) {
        int t = a[i];
        a[i] = a[j];
        a[j] = t;
    }
}

static void *sort_left(void *arg) {
    (void)arg;
    order(0, 1);
    return NULL;
}

int main(void) {
    HEDDLE_DETERMINISTIC("sort") {
        pthread_t t;
        pthread_create(&t, NULL, sort_left, NULL);
        order(1, 2);
        pthread_join(t, NULL);
    }
    for (int i = 0; i < 3; i++) {
        printf("%d ", a[i]);
    }
    return 0;
}

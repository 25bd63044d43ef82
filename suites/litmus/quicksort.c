/* quicksort.c - a parallel sort that is deterministic.
 *
 * The array is split at the pivot; a thread of its own sorts the left part while
 * the parent sorts the right one. The parts share no element and the parent
 * joins before it goes on: no two concurrent operations conflict, and the output
 * is the same in every schedule.
 *
 * label: clean
 * expect: clean
 * twin: quicksort_overlap.c */
#include <pthread.h>
#include <stdio.h>
#if __has_include(<heddle.h>)
#include <heddle.h>
#else
#define HEDDLE_DETERMINISTIC(name)
#endif

static int a[5] = {3, 5, 1, 4, 2};

static int partition(int lo, int hi) {
    int pivot = a[hi], place = lo;
    for (int i = lo; i < hi; i++) {
        if (a[i] < pivot) {
            int t = a[i];
            a[i] = a[place];
            a[place++] = t;
        }
    }
    a[hi] = a[place];
    a[place] = pivot;
    return place;
}

static void sort(int lo, int hi) {
    if (lo < hi) {
        int middle = partition(lo, hi);
        sort(lo, middle - 1);
        sort(middle + 1, hi);
    }
}

static void *sort_left(void *end) {
    sort(0, *(int *)end);
    return NULL;
}

int main(void) {
    HEDDLE_DETERMINISTIC("sort") {
        pthread_t t;
        int middle = partition(0, 4);
        int left_end = middle - 1;
        pthread_create(&t, NULL, sort_left, &left_end);
        sort(middle + 1, 4);
        pthread_join(t, NULL);
    }
    for (int i = 0; i < 5; i++) {
        printf("%d ", a[i]);
    }
    return 0;
}

/* quicksort.c - an array sorted recursively, a thread for each recursive call
 * (SingleTrack).
 *
 * A part that is long enough is split at its pivot and two threads sort what is
 * before and behind it, in the same way; short parts are sorted in place. The two
 * share no element and are joined: every call of `sort` is deterministic, as the
 * paper found (0 warnings; 5 of Velodrome, with every method atomic). The data says
 * how many threads there are, not the schedule: at bench size 29, as in the paper.
 *
 * label: clean
 * expect: clean
 * native: deterministic
 * tsan: clean */
#include "../arguments.h"
#include "team.h"

#include <assert.h>
#include <stdio.h>

struct part {
    uint32_t *begin, *end;
    size_t alone; /* as many as this one thread sorts by itself */
};

void sort(struct part p);

static void *sort_entry(void *part) {
    sort(*(struct part *)part);
    return NULL;
}

static void exchange(uint32_t *a, uint32_t *b) {
    uint32_t kept = *a;
    *a = *b;
    *b = kept;
}

/* Where the pivot, the middle of first, middle and last, ends up. */
static uint32_t *split(uint32_t *begin, uint32_t *end) {
    uint32_t *middle = begin + (end - begin) / 2, *last = end - 1;
    if (*middle < *begin) {
        exchange(middle, begin);
    }
    if (*last < *begin) {
        exchange(last, begin);
    }
    if (*middle < *last) {
        exchange(middle, last);
    }
    uint32_t pivot = *last, *place = begin;
    for (uint32_t *p = begin; p < last; p++) {
        if (*p < pivot) {
            exchange(p, place++);
        }
    }
    exchange(place, last);
    return place;
}

static void sort_alone(uint32_t *begin, uint32_t *end) {
    while (end - begin > 1) {
        uint32_t *pivot = split(begin, end);
        sort_alone(begin, pivot);
        begin = pivot + 1;
    }
}

void sort(struct part p) {
    HEDDLE_DETERMINISTIC("sort") {
        if ((size_t)(p.end - p.begin) <= p.alone) {
            sort_alone(p.begin, p.end);
        } else {
            uint32_t *pivot = split(p.begin, p.end);
            struct part parts[2] = {{p.begin, pivot, p.alone},
                                    {pivot + 1, p.end, p.alone}};
            team_fork_two(sort_entry, &parts[0], &parts[1]);
        }
    }
}

int main(int argc, char **argv) {
    struct arguments a = arguments_read(argc, argv);
    size_t n = a.bench ? 300000 : 20;
    uint32_t *array = malloc(n * sizeof *array), chance = 17;
    for (size_t i = 0; i < n; i++) {
        chance = chance * 1664525 + 1013904223;
        array[i] = chance >> 8;
    }
    sort((struct part){array, array + n, a.sequential ? n : a.bench ? 38300 : n / 2});
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        assert(i == 0 || array[i - 1] <= array[i]);
        sum = team_mix(sum, array[i]);
    }
    printf("quicksort %zu, checksum %016llx\n", n, (unsigned long long)sum);
    free(array);
    return 0;
}

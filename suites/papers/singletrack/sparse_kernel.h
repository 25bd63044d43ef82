/* sparse_kernel.h - y += A x, many times, with a matrix that is nearly empty.
 *
 * The matrix is a list of entries (row, column, value), sorted by row. Each member
 * of the team has a run of entries that begins where a row begins, so that a row
 * of the result belongs to one of them, in every iteration; x is only read. */
#include "team.h"

#include <assert.h>
#include <stdlib.h>

struct sparse {
    size_t rows, entries, iterations;
    uint32_t *row, *column;
    double *value, *x, *y;
};

static size_t sparse_begin(const struct sparse *s, int me, int threads) {
    size_t i = team_share(s->entries, me, threads);
    while (i > 0 && i < s->entries && s->row[i] == s->row[i - 1]) {
        i++;
    }
    return i;
}

static void sparse_part(void *job, int me, int threads) {
    struct sparse *s = job;
    size_t begin = sparse_begin(s, me, threads), end = sparse_begin(s, me + 1, threads);
    for (size_t n = 0; n < s->iterations; n++) {
        for (size_t i = begin; i < end; i++) {
            s->y[s->row[i]] += s->x[s->column[i]] * s->value[i];
        }
    }
}

void sparse_multiply(struct sparse *s, int threads) {
    HEDDLE_DETERMINISTIC("sparse_multiply") { team_run(threads, sparse_part, s); }
}

/* Five entries a row on average, anywhere; some rows stay empty. */
void sparse_fill(struct sparse *s) {
    uint32_t chance = 99;
    s->entries = s->rows * 5;
    s->row = malloc(s->entries * sizeof *s->row);
    s->column = malloc(s->entries * sizeof *s->column);
    s->value = malloc(s->entries * sizeof *s->value);
    s->x = malloc(s->rows * sizeof *s->x);
    s->y = calloc(s->rows, sizeof *s->y);
    size_t *starts = calloc(s->rows + 1, sizeof *starts);
    uint32_t *unsorted = malloc(s->entries * sizeof *unsorted);
    for (size_t i = 0; i < s->entries; i++) {
        chance = chance * 1664525 + 1013904223;
        unsorted[i] = (chance >> 8) % (uint32_t)s->rows;
        starts[unsorted[i] + 1]++;
    }
    for (size_t r = 0; r < s->rows; r++) {
        starts[r + 1] += starts[r];
        s->x[r] = 1.0 / (double)(r + 1);
    }
    for (size_t i = 0; i < s->entries; i++) {
        size_t place = starts[unsorted[i]]++;
        chance = chance * 1664525 + 1013904223;
        s->row[place] = unsorted[i];
        s->column[place] = (chance >> 8) % (uint32_t)s->rows;
        s->value[place] = 1e-3 * (double)(chance >> 16);
    }
    free(starts);
    free(unsorted);
}

/* The checksum of the result. */
uint64_t sparse_run(size_t rows, size_t iterations, int threads) {
    struct sparse s = {.rows = rows, .iterations = iterations};
    uint64_t sum = 0;
    HEDDLE_DETERMINISTIC("sparse") {
        sparse_fill(&s);
        sparse_multiply(&s, threads);
        sum = team_mix_doubles(0, s.y, rows);
    }
    free(s.row);
    free(s.column);
    free(s.value);
    free(s.x);
    free(s.y);
    return sum;
}

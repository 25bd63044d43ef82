/* lufact_kernel.h - a linear system solved by LU factorisation with partial pivoting.
 *
 * Rows are shared out cyclically, so that everybody has work until the end. For
 * each column the first of the team looks for the pivot and exchanges two rows;
 * a barrier; everybody eliminates in its rows; a barrier. The rest, forward and
 * back substitution and the residual, is too little to share. */
#include "team.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

struct lufact {
    size_t n;
    double *a, *b;
    size_t *pivot; /* the row that was exchanged with each */
    pthread_barrier_t meet;
};

static void lufact_choose_pivot(struct lufact *l, size_t k) {
    size_t n = l->n, best = k;
    for (size_t i = k + 1; i < n; i++) {
        if (fabs(l->a[i * n + k]) > fabs(l->a[best * n + k])) {
            best = i;
        }
    }
    l->pivot[k] = best;
    for (size_t j = 0; best != k && j < n; j++) {
        double kept = l->a[k * n + j];
        l->a[k * n + j] = l->a[best * n + j];
        l->a[best * n + j] = kept;
    }
}

static void lufact_part(void *job, int me, int threads) {
    struct lufact *l = job;
    size_t n = l->n;
    for (size_t k = 0; k + 1 < n; k++) {
        if (me == 0) {
            lufact_choose_pivot(l, k);
        }
        pthread_barrier_wait(&l->meet);
        double *row = &l->a[k * n];
        for (size_t i = k + 1; i < n; i++) {
            if (i % (size_t)threads != (size_t)me) {
                continue;
            }
            double *mine = &l->a[i * n];
            double factor = mine[k] / row[k];
            mine[k] = factor;
            for (size_t j = k + 1; j < n; j++) {
                mine[j] -= factor * row[j];
            }
        }
        pthread_barrier_wait(&l->meet);
    }
}

void lufact_factor(struct lufact *l, int threads) {
    pthread_barrier_init(&l->meet, NULL, (unsigned)threads);
    HEDDLE_DETERMINISTIC("lufact_factor") { team_run(threads, lufact_part, l); }
    pthread_barrier_destroy(&l->meet);
}

/* b becomes the solution. */
void lufact_solve(struct lufact *l) {
    size_t n = l->n;
    for (size_t k = 0; k + 1 < n; k++) {
        double kept = l->b[l->pivot[k]];
        l->b[l->pivot[k]] = l->b[k];
        l->b[k] = kept;
    }
    for (size_t i = 1; i < n; i++) {
        for (size_t j = 0; j < i; j++) {
            l->b[i] -= l->a[i * n + j] * l->b[j];
        }
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t j = i + 1; j < n; j++) {
            l->b[i] -= l->a[i * n + j] * l->b[j];
        }
        l->b[i] /= l->a[i * n + i];
    }
}

/* A system whose solution is all ones. */
void lufact_fill(struct lufact *l, size_t n) {
    l->n = n;
    l->a = malloc(n * n * sizeof *l->a);
    l->b = calloc(n, sizeof *l->b);
    l->pivot = calloc(n, sizeof *l->pivot);
    uint32_t chance = 1325;
    for (size_t i = 0; i < n * n; i++) {
        chance = chance * 1664525 + 1013904223;
        l->a[i] = (double)(chance >> 8) / (1 << 23) - 1;
        l->b[i / n] += l->a[i];
    }
}

/* The checksum of the factors and the solution. */
uint64_t lufact_run(size_t n, int threads) {
    struct lufact l;
    uint64_t sum = 0;
    HEDDLE_DETERMINISTIC("lufact") {
        lufact_fill(&l, n);
        lufact_factor(&l, threads);
        lufact_solve(&l);
        for (size_t i = 0; i < n; i++) {
            assert(fabs(l.b[i] - 1) < 1e-6);
        }
        sum = team_mix_doubles(0, l.a, n * n);
        sum = team_mix_doubles(sum, l.b, n);
    }
    free(l.a);
    free(l.b);
    free(l.pivot);
    return sum;
}

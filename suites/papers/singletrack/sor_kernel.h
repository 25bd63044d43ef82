/* sor_kernel.h - successive over-relaxation on a square grid.
 *
 * Red and black points in turn: a point becomes the weighted mean of itself and
 * its four neighbours, which all have the other colour. Each member of the team
 * has a band of rows and reads the last row of the band above and the first of
 * the one below, so that everybody has to wait for its neighbours after each
 * sweep over one colour. How it waits is what the programs differ in: they define
 *
 *   struct sor_meet   what is needed for it
 *   sor_meet_init, sor_meet_destroy
 *   sor_meet(meet, me, threads, sweep)   after that sweep */
#include "team.h"

#include <stdlib.h>

struct sor {
    size_t n, sweeps;
    double *grid;
    struct sor_meet meet;
};

static void sor_part(void *job, int me, int threads) {
    const double omega = 1.25;
    struct sor *s = job;
    size_t n = s->n;
    size_t begin = 1 + team_share(n - 2, me, threads);
    size_t end = 1 + team_share(n - 2, me + 1, threads);
    for (size_t sweep = 0; sweep < s->sweeps; sweep++) {
        for (size_t i = begin; i < end; i++) {
            double *row = &s->grid[i * n];
            for (size_t j = 1 + (i + sweep) % 2; j < n - 1; j += 2) {
                double around = row[j - n] + row[j + n] + row[j - 1] + row[j + 1];
                row[j] = omega * 0.25 * around + (1 - omega) * row[j];
            }
        }
        sor_meet(&s->meet, me, threads, sweep);
    }
}

void sor_relax(struct sor *s, int threads) {
    sor_meet_init(&s->meet, threads);
    HEDDLE_DETERMINISTIC("sor_relax") { team_run(threads, sor_part, s); }
    sor_meet_destroy(&s->meet);
}

void sor_fill(struct sor *s) {
    double *grid = malloc(s->n * s->n * sizeof *grid);
    uint32_t chance = 10101;
    for (size_t i = 0; i < s->n * s->n; i++) {
        chance = chance * 1664525 + 1013904223;
        grid[i] = 1e-6 * (double)(chance >> 16);
    }
    s->grid = grid;
}

/* The checksum of the grid. */
uint64_t sor_run(size_t n, size_t sweeps, int threads) {
    static struct sor s;
    uint64_t sum = 0;
    s.n = n;
    s.sweeps = sweeps;
    HEDDLE_DETERMINISTIC("sor") {
        sor_fill(&s);
        sor_relax(&s, threads);
        sum = team_mix_doubles(0, s.grid, n * n);
    }
    free(s.grid);
    return sum;
}

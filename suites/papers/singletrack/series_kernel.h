/* series_kernel.h - Fourier coefficients of (x + 1)^x on [0, 2].
 *
 * Each coefficient is an integral by the trapezoid rule; they are independent of
 * each other. Nearly all the work is in pow, sin and cos. */
#include "team.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

struct series {
    size_t count, intervals;
    double *even, *odd; /* of cosine and sine */
};

static double series_integral(size_t n, bool sine, size_t intervals) {
    const double omega = 3.1415926535897932, dx = 2.0 / (double)intervals;
    double sum = 0;
    for (size_t i = 0; i <= intervals; i++) {
        double x = dx * (double)i, phase = omega * (double)n * x;
        double value = pow(x + 1, x) * (sine ? sin(phase) : cos(phase));
        sum += i == 0 || i == intervals ? value / 2 : value;
    }
    return sum * dx;
}

static void series_part(void *job, int me, int threads) {
    struct series *s = job;
    size_t end = team_share(s->count, me + 1, threads);
    for (size_t n = team_share(s->count, me, threads); n < end; n++) {
        s->even[n] = series_integral(n, false, s->intervals) / (n == 0 ? 2 : 1);
        s->odd[n] = n == 0 ? 0 : series_integral(n, true, s->intervals);
    }
}

/* The checksum of the coefficients. */
uint64_t series_run(size_t count, size_t intervals, int threads) {
    struct series s = {count, intervals, NULL, NULL};
    uint64_t sum = 0;
    HEDDLE_DETERMINISTIC("series") {
        s.even = calloc(count, sizeof *s.even);
        s.odd = calloc(count, sizeof *s.odd);
        team_run(threads, series_part, &s);
        /* The mean of the function, known to the accuracy of the rule. */
        assert(fabs(s.even[0] - 2.8819) < (intervals < 100 ? 0.1 : 0.001));
        sum = team_mix_doubles(0, s.even, count);
        sum = team_mix_doubles(sum, s.odd, count);
    }
    free(s.even);
    free(s.odd);
    return sum;
}

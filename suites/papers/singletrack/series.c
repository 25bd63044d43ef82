/* series.c - Fourier coefficients, each thread some of them (SingleTrack).
 *
 * Every thread writes the coefficients of its own part of two arrays, and nobody
 * reads any before the join: the block "series" is deterministic, as the paper
 * found (0 warnings; 4 of Velodrome, with every method atomic). The work is in
 * libm, so there is little to record.
 *
 * label: clean
 * expect: clean
 * native: deterministic
 * tsan: clean */
#include "../arguments.h"
#include "series_kernel.h"

#include <stdio.h>

int main(int argc, char **argv) {
    struct arguments a = arguments_read(argc, argv);
    size_t count = a.bench ? 1000 : 8;
    uint64_t sum = series_run(count, a.bench ? 1000 : 20, a.sequential ? 1 : 4);
    printf("series %zu coefficients, checksum %016llx\n", count, (unsigned long long)sum);
    return 0;
}

/* lufact.c - LU factorisation, a barrier before and after each elimination (SingleTrack).
 *
 * The first of the team chooses the pivot while the others wait at the barrier,
 * then everybody changes rows of its own and reads the pivot's row, which nobody
 * changes until the next barrier. A barrier orders and does not choose: the
 * blocks "lufact" and "lufact_factor" are deterministic, as the paper found
 * (0 warnings; 5 of Velodrome, with every method atomic).
 *
 * label: clean
 * expect: clean
 * native: deterministic
 * tsan: clean */
#include "../arguments.h"
#include "lufact_kernel.h"

#include <stdio.h>

int main(int argc, char **argv) {
    struct arguments a = arguments_read(argc, argv);
    size_t n = a.bench ? 600 : 5;
    uint64_t sum = lufact_run(n, a.sequential ? 1 : a.bench ? 4 : 3);
    printf("lufact %zu, checksum %016llx\n", n, (unsigned long long)sum);
    return 0;
}

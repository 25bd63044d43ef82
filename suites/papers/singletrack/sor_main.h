/* sor_main.h - the main that the three programs on sor_kernel.h share; each defines
 * TEST_SWEEPS, how long it takes to show what it can.
 *
 * The result is held to that of one thread, as benchmarks validate themselves. */
#include "../arguments.h"

#include <assert.h>
#include <stdio.h>

int main(int argc, char **argv) {
    struct arguments a = arguments_read(argc, argv);
    size_t n = a.bench ? 400 : 4, sweeps = a.bench ? 500 : TEST_SWEEPS;
    uint64_t sum = sor_run(n, sweeps, a.sequential ? 1 : a.bench ? 4 : 2);
    uint64_t right = sor_run(n, sweeps, 1);
    assert(sum == right);
    printf("sor %zu, checksum %016llx\n", n, (unsigned long long)sum);
    return 0;
}

/* sparse.c - a sparse matrix times a vector, shared out by rows (SingleTrack).
 *
 * Which elements of y a thread adds to is decided by the data: an array of row
 * numbers. That no row is in two parts is so because the entries are sorted and
 * parts begin at a row's first entry; the checker sees it from the accesses. The
 * blocks "sparse" and "sparse_multiply" are deterministic, as the paper found
 * (0 warnings; 4 of Velodrome, with every method atomic).
 *
 * label: clean
 * expect: clean
 * native: deterministic
 * tsan: clean */
#include "../arguments.h"
#include "sparse_kernel.h"

#include <stdio.h>

int main(int argc, char **argv) {
    struct arguments a = arguments_read(argc, argv);
    size_t rows = a.bench ? 20000 : 6;
    uint64_t sum = sparse_run(rows, a.bench ? 800 : 2, a.sequential ? 1 : 4);
    printf("sparse %zu rows, checksum %016llx\n", rows, (unsigned long long)sum);
    return 0;
}

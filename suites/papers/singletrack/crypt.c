/* crypt.c - IDEA encryption of an array, decrypted again (SingleTrack).
 *
 * Two passes, a team of threads for each, every thread a run of blocks of its own;
 * what the second pass reads was joined after the first. The subkeys are only
 * read. No two concurrent operations conflict: the blocks "crypt" and
 * "crypt_pass" are deterministic, as the paper found (0 warnings). Its Velodrome
 * with every method atomic gave 4: methods that fork and join cannot be.
 *
 * label: clean
 * expect: clean
 * native: deterministic
 * tsan: clean */
#include "../arguments.h"
#include "crypt_kernel.h"

#include <stdio.h>

int main(int argc, char **argv) {
    struct arguments a = arguments_read(argc, argv);
    size_t blocks = a.bench ? 800000 : 8;
    uint64_t sum = crypt_run(blocks, a.sequential ? 1 : 4);
    printf("crypt %zu blocks, checksum %016llx\n", blocks, (unsigned long long)sum);
    return 0;
}

/* rng.c - seeding. */
#include "rng.h"

void hd_rng_seed(struct hd_rng *rng, uint64_t seed, uint64_t run) {
    rng->state = seed;
    uint64_t a = hd_rng_next(rng);
    rng->state = a ^ (run * 0xd1342543de82ef95UL + 0x2545f4914f6cdd1dUL);
    hd_rng_next(rng);
}

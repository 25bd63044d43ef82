/* rng.h - the only source of chance. */
#ifndef HD_RNG_H
#define HD_RNG_H

#include <stdint.h>

struct hd_rng {
    uint64_t state;
};

/* A stream for (seed, run): streams of different runs are independent of how
 * many numbers the others drew. */
void hd_rng_seed(struct hd_rng *rng, uint64_t seed, uint64_t run);

static inline uint64_t hd_rng_next(struct hd_rng *rng) { /* splitmix64 */
    uint64_t z = (rng->state += 0x9e3779b97f4a7c15UL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9UL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebUL;
    return z ^ (z >> 31);
}

/* 0..n-1; n > 0 */
static inline uint32_t hd_rng_below(struct hd_rng *rng, uint32_t n) {
    return (uint32_t)(((hd_rng_next(rng) >> 32) * n) >> 32);
}

static inline double hd_rng_unit(struct hd_rng *rng) {
    return (double)(hd_rng_next(rng) >> 11) * 0x1p-53;
}

#endif

/* stale.h - blocks and the values fetched in them, shared by two files.
 *
 * stale.c follows the blocks, stale_flow.c the values. */
#ifndef HD_STALE_H
#define HD_STALE_H

#include "checkers/checker.h"

struct hd_stale_block {
    uint32_t acq;
    uint64_t number; /* never used twice; from 1 */
};

/* A value and where it came from. */
struct hd_stale_value {
    uint64_t block; /* 0: not from a shared variable */
    struct hd_access load;
};

struct hd_stale_thread {
    struct hd_stale_block *open; /* the innermost last */
    uint32_t count, room;
    struct hd_stale_value *values; /* per register; made when first used */
    /* an operation whose operands are still coming */
    uint32_t result; /* HD_NO_ID: none */
    uint32_t operands;
    bool warned;
    struct hd_stale_value best;
    /* flow=split, per granule: where it was last read under a lock */
    struct hd_stale_value *read;
};

struct hd_stale {
    const struct hd_pass *pass;
    bool strict, reset, split;
    uint32_t registers, granules;
    uint64_t blocks;
    struct hd_stale_thread *threads;
};

bool hd_stale_is(const struct hd_stale *s, uint32_t thread, uint64_t block);
uint64_t hd_stale_now(const struct hd_stale *s, uint32_t thread); /* 0: no lock is held */
void hd_stale_report(struct hd_stale *s, const struct hd_access *load, const struct hd_step *use,
                     struct hd_warnings *out);

/* stale_flow.c */
void hd_stale_flow(struct hd_stale *s, const struct hd_step *step, struct hd_warnings *out);
void hd_stale_split(struct hd_stale *s, const struct hd_step *step, struct hd_warnings *out);

#endif

/* blocks_known.h - transactions that say nothing new.
 *
 * Most transactions of a trace repeat an earlier one of their thread and period, step
 * for step. Their blocks are all in the store, so there is no need to make them again.
 * A table of a fixed size remembers the steps of the latest ones; what it forgets is made
 * once more and found to be there. */
#ifndef HD_BLOCKS_KNOWN_H
#define HD_BLOCKS_KNOWN_H

#include "checkers/arena.h"
#include "checkers/front.h"

#include <stdbool.h>
#include <stdint.h>

#define HD_BLOCKS_KNOWN_MOST 64 /* steps of a transaction; a longer one is not kept */
#define HD_BLOCKS_OUTER_MOST 8  /* locks held when it begins; with more it is not, either */
#define HD_BLOCKS_KEYS_MOST (HD_BLOCKS_KNOWN_MOST + HD_BLOCKS_OUTER_MOST + 1)

/* All that blocks depend on, of one step; of the first, the thread is in `what`. */
struct hd_blocks_key {
    uint32_t obj, aux, held, what;
};

/* The keys of one transaction, as they come. */
struct hd_blocks_keys {
    uint64_t hash;
    uint32_t count;
    struct hd_blocks_key all[HD_BLOCKS_KEYS_MOST];
};

static inline void hd_blocks_keys_add(struct hd_blocks_keys *keys, struct hd_blocks_key key) {
    uint64_t first = (uint64_t)key.aux << 32 | key.obj;
    uint64_t second = (uint64_t)key.what << 32 | key.held;
    keys->all[keys->count++] = key;
    uint64_t mixed = first * UINT64_C(0xff51afd7ed558ccd) ^ second * UINT64_C(0xc4ceb9fe1a85ec53);
    keys->hash = (keys->hash ^ mixed ^ mixed >> 32) * UINT64_C(0x9e3779b97f4a7c15);
}

struct hd_blocks_known {
    struct hd_arena *arena;
    struct hd_blocks_known_slot *slots;
};

void hd_blocks_known_init(struct hd_blocks_known *known, struct hd_arena *arena);
/* Was there one with these steps? */
bool hd_blocks_known_is(const struct hd_blocks_known *known, const struct hd_blocks_keys *keys);
void hd_blocks_known_add(struct hd_blocks_known *known, const struct hd_blocks_keys *keys);

#endif

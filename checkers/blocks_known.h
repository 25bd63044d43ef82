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

/* All that blocks depend on, of one step. */
struct hd_blocks_key {
    uint32_t obj, aux, held;
    uint16_t thread;
    uint8_t kind, flags, marks, unused[3];
};

struct hd_blocks_known {
    struct hd_arena *arena;
    struct hd_blocks_known_slot *slots;
};

void hd_blocks_known_init(struct hd_blocks_known *known, struct hd_arena *arena);
/* Was there one with these steps? `*slot` is where it is, or should be put. */
bool hd_blocks_known_is(const struct hd_blocks_known *known, const struct hd_blocks_key *keys,
                        uint32_t count, uint32_t *slot);
void hd_blocks_known_add(struct hd_blocks_known *known, const struct hd_blocks_key *keys,
                         uint32_t count, uint32_t slot);

#endif

/* blocks_gap.h - what is held at the weakest moments between two accesses.
 *
 * Where locks nest, what is held all the way from one access to the other is
 * also all that is held at some moment in between. Where they are handed over it
 * is not: nothing is held throughout, yet something is held at every moment. A
 * gap is the family of subset-minimal lock sets over the moments in between; an
 * operation fits if it gets past one of them. Families are kept once and known by
 * a number; 0 means that there is none. */
#ifndef HD_BLOCKS_GAP_H
#define HD_BLOCKS_GAP_H

#include "checkers/arena.h"
#include "checkers/lockset.h"

struct hd_blocks_gaps {
    struct hd_arena *arena;
    struct hd_locksets *sets;
    uint32_t *members; /* all families, one after the other */
    size_t member_room;
    uint32_t member_count;
    uint32_t *starts; /* family i: members [starts[i], starts[i + 1]) */
    size_t start_room;
    uint32_t count;
};

void hd_blocks_gaps_init(struct hd_blocks_gaps *gaps, struct hd_arena *arena,
                         struct hd_locksets *sets);
/* The family of the minimal ones among these lock sets. */
uint32_t hd_blocks_gap_of(struct hd_blocks_gaps *gaps, const uint32_t *held,
                          uint32_t count);
/* Can somebody who holds these sets, one after the other, do all of it at one of
 * the weakest moments? */
bool hd_blocks_gap_lets(struct hd_blocks_gaps *gaps, uint32_t gap, const uint32_t *held,
                        uint32_t count);

#endif

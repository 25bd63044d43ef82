/* blocks_match.h - which blocks can be interleaved so that no serial order
 * explains it.
 *
 * Blocks of one variable, or of one pair of variables, are compared by class:
 * what they do and hold, whoever does it. Only where two classes fit do single
 * blocks count, that is threads and periods. */
#ifndef HD_BLOCKS_MATCH_H
#define HD_BLOCKS_MATCH_H

#include "checkers/blocks_build.h"

enum hd_blocks_locks { HD_BLOCKS_BY_HELD, HD_BLOCKS_BY_GAP, HD_BLOCKS_BY_GRAPH };

/* Something that can happen. */
struct hd_blocks_found {
    int pattern;            /* 1 to 4: one variable; 0: two */
    unsigned order;         /* two variables: HD_BLOCKS_1221 or HD_BLOCKS_1212 */
    bool same;              /* both go to the variables in the same order */
    uint32_t victim, other; /* blocks */
    uint32_t victim_sight, other_sight; /* where they were seen, in concurrent periods */
    int middle; /* one variable: which access of `other` comes between */
};

struct hd_blocks_match {
    struct hd_arena *arena;
    struct hd_blocks_store *store;
    struct hd_blocks_gaps *gaps;
    const struct hd_blocks_shapes *shapes;
    const struct hd_periods *periods; /* NULL: all periods of different threads concur */
    enum hd_blocks_locks locks;
    const struct hd_blocks_sated *sated; /* NULL: everything is wanted */
    bool printed;                        /* pattern 1 for any read */
    uint64_t large; /* progress graphs that were too large: taken for possible */
    void (*found)(void *context, const struct hd_blocks_found *found);
    void *context;

    struct hd_blocks_class *classes; /* scratch */
    size_t class_room;
    struct hd_blocks_member *members;
    size_t member_room;
};

/* All groups. At most one finding per victim block and pattern, however often this
 * is called while more blocks come. */
void hd_blocks_match_all(struct hd_blocks_match *match);

/* Sightings of two blocks in concurrent periods; false: there are none. */
bool hd_blocks_concurrent(const struct hd_blocks_match *match, uint32_t a, uint32_t b,
                          uint32_t *sight_a, uint32_t *sight_b);

#endif

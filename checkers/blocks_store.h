/* blocks_store.h - every distinct block, once.
 *
 * A block says what matters about two accesses of one transaction: to one
 * variable (1v) or to two (2v). Transactions that do the same give the same
 * blocks, so the number of blocks follows the program and not the length of the
 * trace (Wang and Stoller, section 6.6). A block is seen in a set of periods; one
 * sighting for each of them is kept, and is the witness if it comes to that.
 *
 * A block that holds more locks than another of the same region, thread and
 * variables and conflicts with less can only do less: whatever can get into it or
 * into which it can get, the other can too. Such a block is dropped at the door.
 *
 * Blocks of one variable, or of one pair, form a group: they are what is
 * compared with each other. */
#ifndef HD_BLOCKS_STORE_H
#define HD_BLOCKS_STORE_H

#include "checkers/arena.h"
#include "checkers/blocks_pattern.h"
#include "checkers/lockset.h"

enum hd_blocks_flag {
    HD_BLOCKS_FINAL1 = 1, /* the first access is the final write of its transaction */
    HD_BLOCKS_FINAL2 = 2,
    HD_BLOCKS_INSTANT = 4, /* both are one event: nothing comes between */
    HD_BLOCKS_PSEUDO1 = 8, /* the first is the publication of an earlier write */
};

/* One access as a warning shows it; what it touches and holds is the block's. */
struct hd_blocks_event {
    uint64_t seq;
    uint32_t site;
    uint32_t function;
    uint8_t kind;
    uint8_t flags;
};

struct hd_blocks_sight {
    struct hd_blocks_event event[2]; /* a dummy has seq UINT64_MAX */
    uint32_t period;
    uint32_t txn;
    uint32_t
        next; /* the same block in the thread's next period; after the last: the first */
};

#define HD_BLOCKS_NONE UINT32_MAX

/* One cache line: finding a block again is most of the work. */
struct hd_blocks_block {
    uint32_t var[2]; /* granules; equal: a 1v-block */
    uint32_t region; /* HD_NO_ID: not in a transaction, never a victim */
    uint16_t thread;
    uint8_t flags;
    uint8_t op[2];
    uint8_t
        found; /* patterns in which it is known to be the victim; see blocks_match.c */
    uint32_t held[2];
    uint32_t held12; /* held all the way from one to the other */
    uint32_t mid;    /* 2v: locks taken and released in between */
    uint32_t gap;    /* least lock sets in between (blocks_gap.h), or 0 */
    uint32_t shape;  /* the lock operations of its transaction, or HD_BLOCKS_NONE */
    uint32_t at[2];  /* how many of them come before each access */
    /* Kept by the store: */
    uint32_t period;    /* of the latest sighting */
    uint32_t last;      /* the latest sighting */
    uint32_t next_like; /* the next of the same chain */
};

_Static_assert(sizeof(struct hd_blocks_block) == 64, "one cache line");

/* The blocks of one variable or pair: ids [first, first + count) of `grouped`. */
struct hd_blocks_group {
    uint32_t var[2]; /* ascending */
    uint32_t first;
    uint32_t count;
    uint32_t thread; /* whose blocks these are, or HD_BLOCKS_NONE: of several */
};

/* Blocks stay where they are, in pieces of this many. */
#define HD_BLOCKS_PIECE_BITS 10
#define HD_BLOCKS_PIECE (1u << HD_BLOCKS_PIECE_BITS)

struct hd_blocks_store {
    struct hd_arena *arena;
    struct hd_locksets *sets;
    struct hd_blocks_block **pieces;
    size_t piece_room;
    struct hd_blocks_sight *sights;
    uint32_t block_count, sight_count;
    size_t sight_room;
    uint64_t *heads; /* by hash of what blocks alike share: the hash, and block + 1 */
    uint32_t head_mask, head_used;
    struct hd_blocks_group *groups; /* from hd_blocks_store_group on */
    uint32_t group_count;
    size_t group_room;
    uint32_t *grouped;
    uint32_t grouped_count;
    uint64_t dropped; /* blocks for which there was no room */
    bool every;       /* keep also blocks that say nothing new: the paper's own set */
};

void hd_blocks_store_init(struct hd_blocks_store *store, struct hd_arena *arena,
                          struct hd_locksets *sets);

/* Regions of which enough is known: a warning keeps so many variants and no more,
 * so there is no need to find further ways to accuse the same code. */
struct hd_blocks_sated {
    struct hd_arena *arena;
    uint8_t *variants; /* by region: how many were found */
    size_t room;
    uint32_t seen, full; /* regions */
};

#define HD_BLOCKS_SEEN 128 /* in `variants`: some transaction of the region has begun */

void hd_blocks_sated_see(struct hd_blocks_sated *sated, uint32_t region);
void hd_blocks_sated_add(struct hd_blocks_sated *sated,
                         uint32_t region); /* a new variant */
bool hd_blocks_sated_is(const struct hd_blocks_sated *sated, uint32_t region);

static inline struct hd_blocks_block *hd_blocks_get(const struct hd_blocks_store *store,
                                                    uint32_t id) {
    return &store->pieces[id >> HD_BLOCKS_PIECE_BITS][id & (HD_BLOCKS_PIECE - 1)];
}

/* Adding a block goes in three steps, so that many can be under way at once: each
 * fetches what the next one needs. First the hash of it, */
uint32_t hd_blocks_store_hash(const struct hd_blocks_store *store,
                              const struct hd_blocks_block *block);
/* then where it may be, */
void hd_blocks_store_fetch(const struct hd_blocks_store *store, uint32_t hash);
/* then it is added, unless it is known or says nothing new. */
void hd_blocks_store_put(struct hd_blocks_store *store,
                         const struct hd_blocks_block *block, uint32_t hash,
                         const struct hd_blocks_event *first,
                         const struct hd_blocks_event *second, uint32_t period,
                         uint32_t txn);
/* Make groups of all blocks that are there, in the order of their first blocks. */
void hd_blocks_store_group(struct hd_blocks_store *store);

#endif

/* blocks_store.h - every distinct block, once.
 *
 * A block says what matters about two accesses of one transaction: to one
 * variable (1v) or to two (2v). Transactions that do the same give the same
 * blocks, so the number of blocks follows the program and not the length of the
 * trace (Wang and Stoller, section 6.6). A block is seen in a set of periods; one
 * sighting for each of them is kept, and is the witness if it comes to that.
 *
 * A block that asks for more locks than another of the same region, thread,
 * variables and operations can only do less: whatever can get into it or into
 * which it can get, the other can too. Such a block is dropped at the door.
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
    uint32_t next; /* the same block in the thread's next period, or HD_BLOCKS_NONE */
};

#define HD_BLOCKS_NONE UINT32_MAX

struct hd_blocks_block {
    uint32_t var[2]; /* granules; equal: a 1v-block */
    uint32_t region; /* HD_NO_ID: not in a transaction, never a victim */
    uint16_t thread;
    uint8_t op[2];
    uint8_t flags;
    uint32_t held[2];
    uint32_t held12; /* held all the way from one to the other */
    uint32_t mid;    /* 2v: locks taken and released in between */
    uint32_t gap;    /* least lock sets in between (blocks_gap.h), or 0 */
    uint32_t shape;  /* the lock operations of its transaction, or HD_BLOCKS_NONE */
    uint32_t at[2];  /* how many of them come before each access */
    uint32_t first, last; /* sightings */
    uint32_t next_like;   /* same variables, operations, region and thread */
    uint32_t next_in_group;
};

struct hd_blocks_group {
    uint32_t var[2]; /* ascending */
    uint32_t first;
    uint32_t count;
    uint32_t thread; /* whose blocks these are, or HD_BLOCKS_NONE: of several */
};

struct hd_blocks_store {
    struct hd_arena *arena;
    struct hd_locksets *sets;
    struct hd_blocks_block *blocks;
    struct hd_blocks_sight *sights;
    struct hd_blocks_group *groups;
    uint32_t block_count, sight_count, group_count;
    size_t block_room, sight_room, group_room;
    uint32_t *heads; /* block + 1 by hash of what blocks alike share */
    uint32_t *pairs; /* group + 1 by hash of its variables */
    uint32_t head_mask, head_used, pair_mask;
    uint64_t dropped; /* blocks for which there was no room */
};

void hd_blocks_store_init(struct hd_blocks_store *store, struct hd_arena *arena,
                          struct hd_locksets *sets);

/* The hash of a block; the place it leads to is fetched in the meantime. */
uint64_t hd_blocks_store_touch(const struct hd_blocks_store *store,
                               const struct hd_blocks_block *block);
/* Adds a block that was seen in a period, unless it is known or says nothing new.
 * Only the fields down to `at` are looked at. */
void hd_blocks_store_put(struct hd_blocks_store *store, const struct hd_blocks_block *block,
                         uint64_t hash, const struct hd_blocks_sight *sight);

#endif

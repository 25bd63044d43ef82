/* determinism_block.h - who is in which deterministic block.
 *
 * A transaction of SingleTrack is the outermost block of a thread and everything
 * that the threads do which are forked in it, also after its end. Blocks nest; a
 * forked thread inherits the open blocks of its parent and opens its own above
 * them. A thread's blocks are a path in a tree; the tree belongs to the transaction
 * and goes with it. In a transaction with more than HD_BLOCKS_MANY, a block that a
 * thread opens again right after it closed it is taken as the same one. */
#ifndef HD_DETERMINISM_BLOCK_H
#define HD_DETERMINISM_BLOCK_H

#include "checkers/graph.h"

#define HD_BLOCKS_MANY 65536

struct hd_block {
    uint32_t above; /* the block around it; 0: none */
    uint32_t region;
    uint32_t depth; /* 1: the outermost */
    uint32_t next;  /* of the same transaction; when free, of the free ones */
};

struct hd_txn {
    uint32_t generation; /* changes when it is over: what was kept for it is void */
    uint32_t members;    /* threads in it */
    uint32_t blocks;     /* all of them, linked by `next` */
    uint32_t count;      /* of blocks */
    uint32_t next;       /* when free */
    hd_node node;
    bool forked; /* had more than one member */
    bool blamed;
};

struct hd_member {
    uint32_t txn;       /* plus one; 0: in none */
    uint32_t block;     /* innermost open block; 0: none */
    uint32_t own;       /* blocks that it opened by itself and that are open */
    uint32_t closed;    /* the block that it closed last; 0: none */
};

struct hd_blocks {
    struct hd_arena *arena;
    struct hd_block *blocks; /* from 1 */
    struct hd_txn *txns;
    struct hd_member *members;
    size_t block_room, txn_room;
    uint32_t block_count, block_free, txn_count, txn_free;
};

void hd_blocks_begin(struct hd_blocks *b, struct hd_arena *arena, uint32_t threads);

static inline struct hd_txn *hd_blocks_txn(struct hd_blocks *b, uint32_t thread) {
    uint32_t txn = b->members[thread].txn;
    return txn ? &b->txns[txn - 1] : NULL;
}

/* A thread opens a block; true if it is an outermost one, a new transaction. */
bool hd_blocks_open(struct hd_blocks *b, uint32_t thread, uint32_t region);
/* It closes its last one; true if it leaves its transaction by that. */
bool hd_blocks_close(struct hd_blocks *b, uint32_t thread);
/* A forked thread joins its parent's transaction, if there is one. */
void hd_blocks_fork(struct hd_blocks *b, uint32_t thread, uint32_t child);
/* The thread is out. Returns the transaction if that was its last member; it must
 * be given back after use. */
struct hd_txn *hd_blocks_leave(struct hd_blocks *b, uint32_t thread);
void hd_blocks_free(struct hd_blocks *b, struct hd_txn *txn);

/* The innermost block that contains both; 0: none. */
uint32_t hd_blocks_common(const struct hd_blocks *b, uint32_t one, uint32_t other);

#endif

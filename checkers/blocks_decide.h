/* blocks_decide.h - has a handful of transactions a run that no serial order
 * explains?
 *
 * The second condition of theorem 5, by search: all interleavings that locks and
 * forced order allow, with the same states met once. Transactions are given by
 * their lock operations, initial reads and final writes; all else follows from
 * the other condition. */
#ifndef HD_BLOCKS_DECIDE_H
#define HD_BLOCKS_DECIDE_H

#include "checkers/blocks_graph.h"

enum hd_blocks_what {
    HD_BLOCKS_ITEM_ACQUIRE,
    HD_BLOCKS_ITEM_SHARE, /* acquire as a reader */
    HD_BLOCKS_ITEM_RELEASE,
    HD_BLOCKS_ITEM_READ,
    HD_BLOCKS_ITEM_WRITE,
};

struct hd_blocks_item {
    uint32_t obj;
    uint8_t what;
    bool glued; /* of the same event as the item before: nothing comes between */
};

#define HD_BLOCKS_DECIDE_MAX 6 /* transactions */

struct hd_blocks_set {
    uint32_t count;
    const struct hd_blocks_item *items[HD_BLOCKS_DECIDE_MAX];
    uint32_t lengths[HD_BLOCKS_DECIDE_MAX];
    bool before[HD_BLOCKS_DECIDE_MAX]
               [HD_BLOCKS_DECIDE_MAX]; /* i is over before j begins */
    uint64_t states_met;               /* out: what it cost */
};

/* One step of a run: which item of which transaction. */
struct hd_blocks_move {
    uint32_t txn, item;
};

/* YES: there is such a run; `run` (of `room` moves) gets its accesses in order,
 * those that matter, and `*length` their number. Interleavings that end in a
 * deadlock do not count. */
enum hd_blocks_answer hd_blocks_decide(struct hd_blocks_set *set, uint32_t states_max,
                                       struct hd_blocks_move *run, uint32_t room,
                                       uint32_t *length);

#endif

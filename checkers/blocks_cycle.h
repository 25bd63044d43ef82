/* blocks_cycle.h - transactions that are atomic two by two and not together.
 *
 * Three transactions can chase each other in a circle although every two of them
 * get along; so can two of one thread and one of another, because the thread's
 * order closes the circle. Kept are the distinct transactions of each thread and
 * period: lock operations, initial reads, final writes, and up to two instances
 * (more cannot be told apart by a circle that meets each once).
 *
 * Few transactions are decided as a whole, which is exact: a blind write of a
 * third one can hide the order of two. Of many, circles of three whose pairs are
 * atomic are decided by themselves. */
#ifndef HD_BLOCKS_CYCLE_H
#define HD_BLOCKS_CYCLE_H

#include "checkers/blocks_build.h"
#include "checkers/blocks_decide.h"

struct hd_blocks_instance {
    uint32_t txn;
    struct hd_blocks_event *events; /* by item; lock operations have none */
};

/* What some transactions of one thread and period did. */
struct hd_blocks_node {
    uint32_t region, period;
    uint16_t thread;
    struct hd_blocks_item *items;
    uint32_t *held; /* by item */
    uint32_t length;
    struct hd_blocks_instance instance[2]; /* first and latest */
    uint32_t instances;                    /* 1, or 2 for more */
};

struct hd_blocks_cycles {
    const struct hd_pass *pass;
    const struct hd_periods *periods; /* NULL: only threads are ordered */
    struct hd_blocks_node *nodes;
    size_t node_room;
    uint32_t node_count;
    uint32_t *table, table_mask;
    struct hd_blocks_item *items; /* scratch: the transaction that just ended */
    uint32_t *held;
    struct hd_blocks_event *events;
    size_t item_room, held_room, event_room;

    uint32_t *alive; /* node * 2 + instance of those that others can meet */
    uint32_t alive_count;
    enum hd_blocks_answer whole; /* of all that are alive together */
    uint64_t undecided;
    uint64_t states_met; /* in all decisions */
};

void hd_blocks_cycles_init(struct hd_blocks_cycles *cycles, const struct hd_pass *pass);
/* A transaction has ended; to be called by its builder. */
void hd_blocks_cycles_add(void *cycles, const struct hd_blocks_builder *builder);
/* The trace is over: can all of it be decided at once? */
bool hd_blocks_cycles_few(struct hd_blocks_cycles *cycles);
/* Warn of what was found. To be called after the former. */
void hd_blocks_cycles_find(struct hd_blocks_cycles *cycles, struct hd_warnings *out);

#endif

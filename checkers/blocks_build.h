/* blocks_build.h - from the steps of one transaction to its blocks.
 *
 * A builder follows one thread. 1v-blocks are made as the accesses come, so no
 * list of events is kept: of a variable only the last write, the last read
 * before it, a few initial reads and the blocks whose final-write flags are
 * still open. 2v-blocks are made when the transaction ends, from its initial
 * reads and final writes.
 *
 * Locks are counted in segments: the stretches between two lock operations. All
 * accesses of a segment hold the same; what is held from one access to another
 * depends on their segments only.
 *
 * Rules, for a transaction t and a variable v:
 *   (a) every access but the first makes a block with the last write before it,
 *       or else with the last read before it;
 *   (b) the final write makes a block with every initial read. The first of
 *       those that hold the same is enough: what can come between a later one and
 *       the write can come between this one and the write.
 *   (c) a single access makes a block with a dummy, per variable;
 *   (d) initial reads and final writes of different variables make 2v-blocks;
 *   (e) v becomes reachable by others in t after t wrote it: the moment of
 *       publication stands for the write, as the first of a pair only. */
#ifndef HD_BLOCKS_BUILD_H
#define HD_BLOCKS_BUILD_H

#include "checkers/blocks_gap.h"
#include "checkers/blocks_graph.h"
#include "checkers/blocks_known.h"
#include "checkers/blocks_map.h"
#include "checkers/blocks_store.h"
#include "checkers/checker.h"

struct hd_blocks_builder;

/* What the transactions of a pass have in common. */
struct hd_blocks_sink {
    const struct hd_pass *pass;
    struct hd_blocks_store *store;
    struct hd_blocks_gaps *gaps;     /* NULL: not wanted */
    struct hd_blocks_shapes *shapes; /* NULL: lock operations are not wanted */
    struct hd_blocks_sated *sated;   /* NULL: everything is wanted */
    struct hd_blocks_known *known;   /* NULL: every transaction is wanted */
    struct hd_blocks_gathered *gathered; /* with steps in this batch */
    struct hd_blocks_gathered *spare;
    bool pairs;                      /* 2v-blocks too */
    bool escape;                     /* leave out what others cannot reach yet */
    bool periods;                    /* tell periods apart */
    bool publish;                    /* rule (e) */
    bool contended;                  /* leave out what nobody contends for */
    uint32_t *incomplete; /* transactions cut off by the end */
    size_t incomplete_room;
    uint32_t incomplete_count;
    uint64_t large;   /* transactions with too many accesses for all pairs */
    uint64_t skipped; /* transactions whose pairs nobody needed */
    void (*done)(void *context, const struct hd_blocks_builder *builder); /* or NULL */
    void *context;
};

/* More initial reads and final writes than this in one transaction: the pairs of
 * the first ones only. */
#define HD_BLOCKS_ENTRIES_MAX 512

/* An access that a pair may be made of. */
struct hd_blocks_entry {
    struct hd_blocks_event event;
    uint32_t granule;
    uint32_t pos; /* in the transaction */
    uint32_t segment;
    uint32_t held;
    uint32_t next; /* of the same variable */
    uint32_t
        twin; /* an initial read's: where the final write is, if in the same segment */
    uint8_t op;
    uint8_t pseudo;
};

/* A lock that was taken, and the segments in which it is held. */
struct hd_blocks_hold {
    uint32_t element;
    uint32_t from, to; /* to: UINT32_MAX while it is held */
};

struct hd_blocks_builder {
    bool open;
    uint16_t thread;
    uint32_t region, period, txn;
    bool unary; /* a transaction of one event */
    struct hd_blocks_gathered *gathered; /* its steps, if they wait: blocks_gather.c */
    uint32_t pos;
    uint32_t segment;
    uint32_t *held; /* by segment */
    size_t held_room;
    struct hd_blocks_step *ops; /* what starts segment i is ops[outer + i - 1] */
    size_t op_room;
    uint32_t outer;    /* locks held when it began */
    uint32_t op_count; /* at the end: with the release of what is held then */
    struct hd_blocks_hold *holds;
    size_t hold_room;
    uint32_t hold_count;
    uint32_t *stack, *closed; /* holds: open, oldest first; closed, in that order */
    size_t stack_room, closed_room;
    uint32_t stack_count, closed_count;

    struct hd_blocks_var *vars;
    size_t var_room;
    uint32_t var_count;
    struct hd_blocks_map by_granule; /* to vars */
    struct hd_blocks_entry *reads;   /* initial reads, in order */
    size_t read_room;
    uint32_t read_count;
    struct hd_blocks_wait *waits; /* blocks whose flags are open */
    size_t wait_room;
    uint32_t wait_count, wait_free;
    uint32_t deferred;           /* blocks that only lack their transaction's shape */
    struct hd_blocks_map hidden; /* object to the first of its vars written in hiding */

    struct hd_blocks_entry *entries; /* at the end: initial reads and final writes */
    size_t entry_room;
    uint32_t entry_count;
    uint32_t shape;
};

/* Steps as they come, whole batches of them; builders by thread. */
void hd_blocks_build(struct hd_blocks_builder *builders, struct hd_blocks_sink *sink,
                     const struct hd_step *steps, size_t count);
/* The trace is over. */
void hd_blocks_build_end(struct hd_blocks_builder *builder, struct hd_blocks_sink *sink);

/* A step of an open transaction takes effect. */
void hd_blocks_take(struct hd_blocks_builder *builder, struct hd_blocks_sink *sink,
                    const struct hd_step *step);

/* In blocks_gather.c: the steps of a transaction wait for its end, which shows whether
 * it is known already. */
void hd_blocks_gather_begin(struct hd_blocks_builder *builder, struct hd_blocks_sink *sink,
                            const struct hd_step *step);
/* True: it waits, or the transaction is known and over. */
bool hd_blocks_gather(struct hd_blocks_builder *builder, struct hd_blocks_sink *sink,
                      const struct hd_step *step);
/* The steps that were given so far go away. */
void hd_blocks_gather_keep(struct hd_blocks_sink *sink);
/* What waits takes effect now. */
void hd_blocks_gather_end(struct hd_blocks_builder *builder, struct hd_blocks_sink *sink);

/* Lock operations of transactions, each sequence once. */
struct hd_blocks_shapes {
    struct hd_arena *arena;
    struct hd_blocks_skeleton *all;
    size_t room;
    uint32_t count;
    uint32_t *table;
    uint32_t mask;
};

void hd_blocks_shapes_init(struct hd_blocks_shapes *shapes, struct hd_arena *arena);
uint32_t hd_blocks_shape_of(struct hd_blocks_shapes *shapes,
                            const struct hd_blocks_step *steps, uint32_t count);

/* Rule (d), in blocks_pairs.c: the 2v-blocks of the entries of a builder. */
void hd_blocks_pairs(struct hd_blocks_builder *builder, struct hd_blocks_sink *sink);

/* Segments, in blocks_segment.c. */
void hd_blocks_segment_begin(struct hd_blocks_builder *builder, struct hd_arena *arena,
                             const struct hd_step *step);
/* A lock operation ends a segment. */
void hd_blocks_segment_next(struct hd_blocks_builder *builder, struct hd_arena *arena,
                            uint32_t element, bool release, uint32_t held);
void hd_blocks_segment_end(struct hd_blocks_builder *builder, struct hd_arena *arena);
/* What is held without a break from segment `from` to the current one. */
uint32_t hd_blocks_held_since(const struct hd_blocks_builder *builder,
                              struct hd_locksets *sets, uint32_t from);

#endif

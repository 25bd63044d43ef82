/* reduction_shape.h - what a transaction did, as a string of tokens, and whether
 * it has the shape of an atomic one.
 *
 * The paper keeps a tree per transaction: a node for each lock region, at each
 * node the variables accessed once and those accessed more often. This is the
 * tree's string, which also says what locks that do not nest do: acquires,
 * releases, and variables, each at most twice between two lock operations. Equal
 * strings of one region are kept once.
 *
 * A token says what was done to which lock or variable, and no more; where in the
 * source and when is remembered for one transaction of each string. */
#ifndef HD_REDUCTION_SHAPE_H
#define HD_REDUCTION_SHAPE_H

#include "checkers/blocks_map.h"
#include "checkers/reduction_class.h"

/* An atomic access is no mover, unless nobody else is there. */
enum hd_reduction_what {
    HD_REDUCTION_ACQUIRE,
    HD_REDUCTION_RELEASE,
    HD_REDUCTION_ACCESS,
    HD_REDUCTION_ATOMIC,
};

#define HD_REDUCTION_TOKEN(what, obj) ((uint32_t)(obj) << 2 | (what))
#define HD_REDUCTION_WHAT(token) ((token)&3)
#define HD_REDUCTION_OBJ(token) ((token) >> 2)

struct hd_reduction_sample {
    uint32_t later; /* how many events of the trace after the first token's */
    uint32_t site, function, held;
    uint8_t kind, flags; /* of the event */
};

/* A transaction that is going on, or one of those that did the same. */
struct hd_reduction_shape {
    uint32_t *tokens;
    struct hd_reduction_sample *samples; /* by token */
    uint64_t seq;                        /* of the first */
    uint32_t count;
    uint32_t region;
    uint32_t txn;
    uint16_t thread;
    bool incomplete;
};

struct hd_reduction_shapes {
    struct hd_arena *arena;
    struct hd_reduction_shape *shapes;
    size_t room;
    uint32_t count;
    uint32_t *table, mask;
};

void hd_reduction_shapes_init(struct hd_reduction_shapes *shapes, struct hd_arena *arena);
/* Is there one with the same region and tokens? If not, `slot` is the place for it. */
bool hd_reduction_shape_is_known(const struct hd_reduction_shapes *shapes,
                                 const struct hd_reduction_shape *shape, uint32_t *slot);
void hd_reduction_shape_keep(struct hd_reduction_shapes *shapes,
                             const struct hd_reduction_shape *shape, uint32_t slot);

/* Which tokens break it: after the commit point, which is the first left mover or
 * non-mover, comes one that is no left mover. */
struct hd_reduction_breach {
    uint32_t commit, offender; /* places in the string */
    char commit_class, offender_class;
};

/* Room for one string, grown as needed. */
struct hd_reduction_scratch {
    char *classes;
    uint32_t *open;
    size_t class_room, open_room;
};

/* The class of each token: 'R', 'L', 'B', 'N'. With `theorem2`, lock regions with
 * nothing in them but what one thread has for itself are both-movers: 'b'. */
void hd_reduction_classify(const struct hd_reduction_classes *classes,
                           const struct hd_reduction_shape *shape, bool theorem2,
                           struct hd_arena *arena, struct hd_reduction_scratch *scratch);
/* Does the transaction match R* N? L*? False: `breach` says where not. */
bool hd_reduction_matches(const struct hd_reduction_shape *shape,
                          const struct hd_reduction_scratch *scratch,
                          struct hd_reduction_breach *breach);
/* "RBLRBBBL": one letter a token. */
void hd_reduction_print(const struct hd_reduction_shape *shape,
                        const struct hd_reduction_scratch *scratch, char *buffer,
                        size_t size);

#endif

/* reduction_shape.h - what a transaction did, as a string of tokens, and whether
 * it has the shape of an atomic one.
 *
 * The paper keeps a tree per transaction: a node for each lock region, at each
 * node the variables accessed once and those accessed more often. This is the
 * tree's string, which also says what locks that do not nest do: acquires,
 * releases, and variables, each at most twice between two lock operations. Equal
 * strings of one region are kept once.
 *
 * A token is a number that stands for what was done and where in the source. */
#ifndef HD_REDUCTION_SHAPE_H
#define HD_REDUCTION_SHAPE_H

#include "checkers/blocks_map.h"
#include "checkers/reduction_class.h"

enum hd_reduction_what { HD_REDUCTION_ACQUIRE, HD_REDUCTION_RELEASE, HD_REDUCTION_ACCESS };

struct hd_reduction_token {
    uint32_t obj; /* lock or granule */
    uint32_t site, function, held;
    uint8_t what;
    uint8_t kind, flags; /* of the event */
    bool atomic;         /* an atomic access: neither mover, unless nobody else is there */
    bool inner;          /* a lock operation that is reentrant */
};

/* A transaction that is going on, or one of those that did the same. */
struct hd_reduction_shape {
    uint32_t region;
    uint32_t txn;
    uint16_t thread;
    bool incomplete;
    uint32_t count;
    uint64_t seq;     /* of its first token */
    uint32_t *tokens; /* and then, for each, how many events of the trace later it came */
};

struct hd_reduction_shapes {
    struct hd_arena *arena;
    struct hd_reduction_token *tokens;
    size_t token_room;
    uint32_t token_count;
    uint32_t *token_table, token_mask;
    struct hd_reduction_shape *shapes;
    size_t shape_room;
    uint32_t shape_count;
    uint32_t *shape_table, shape_mask;
};

void hd_reduction_shapes_init(struct hd_reduction_shapes *shapes, struct hd_arena *arena);
uint32_t hd_reduction_token_of(struct hd_reduction_shapes *shapes,
                               const struct hd_reduction_token *token);
/* Keeps it if it is new; `tokens` of it has 2 * count words, as above. */
bool hd_reduction_shape_is_known(struct hd_reduction_shapes *shapes,
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
void hd_reduction_classify(const struct hd_reduction_shapes *shapes,
                           const struct hd_reduction_classes *classes,
                           const struct hd_reduction_shape *shape, bool theorem2,
                           struct hd_arena *arena, struct hd_reduction_scratch *scratch);
/* Does the transaction match R* N? L*? False: `breach` says where not. */
bool hd_reduction_matches(const struct hd_reduction_shape *shape,
                          const struct hd_reduction_scratch *scratch,
                          struct hd_reduction_breach *breach);
/* "RBLRBBBL": one letter a token. */
void hd_reduction_print(const struct hd_reduction_shape *shape,
                        const struct hd_reduction_scratch *scratch, char *buffer, size_t size);

#endif

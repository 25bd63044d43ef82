/* graph.h - which transaction comes before which, in memory that does not grow.
 *
 * Transactions are nodes; an edge says that an operation of one must come before
 * an operation of another. A violation is a cycle. The papers keep the graph,
 * search it at each new edge, and drop a finished node once nothing points to it.
 * Here the graph is not kept at all. Of a node only this is known: which of the
 * transactions that are still running reach it.
 *
 * Why that is enough. A new edge always ends in a node that is still running, or
 * in a fresh one. It closes a cycle iff its end already reaches its start: so all
 * that is ever asked is "does this running transaction reach that node?". The
 * running ones are at most as many as there are threads, so the answer for a node
 * is a handful of bits.
 *
 *   (1) A running node has a slot, a bit number. `mask` of a node: the slots of
 *       the running nodes that reach it, its own not counted.
 *   (2) The slot keeps the list of the nodes it reaches. When a running node
 *       learns of new ones before it, so do all nodes in its list. The list is
 *       closed under reachability, hence one pass is enough, cycles or not.
 *   (3) When a node ends, its bit is taken out of all masks in its list; what was
 *       before it is already in them.
 *   (4) A node that has ended and has an empty mask can be on no cycle: it is
 *       freed at once, and all references to it read as "none" (generations).
 *   (5) Two ended nodes with equal masks are equal for ever. So an operation
 *       outside of transactions joins its thread's last node when that changes
 *       no mask, and has no node when its mask is empty.
 *   (6) A node that nobody refers to any more is found by marking; the owner of
 *       the references (tables of last accesses and the like) is asked for them.
 *
 * To show a cycle, each bit remembers the edge by which it came, and the bit it
 * came from: a chain of links. Chains longer than HD_GRAPH_LONG are cut short. */
#ifndef HD_GRAPH_H
#define HD_GRAPH_H

#include "checkers/arena.h"
#include "checkers/warning.h"

#include <stdbool.h>
#include <stdint.h>

#define HD_GRAPH_LONG 64

typedef uint64_t hd_node; /* 0: none */

/* An operation and the node it belongs to: where an edge may start. */
struct hd_point {
    hd_node node;
    struct hd_access op;
};

/* An edge on the way round: `to` lies in a node of region `region`. */
struct hd_hop {
    struct hd_access from, to;
    uint32_t region;
    bool unary;  /* the node of `to` is no transaction */
    bool skips;  /* nodes between the two ends were left out */
};

struct hd_graph;

/* `roots` must call hd_graph_mark for each reference that is still in use. */
struct hd_graph *hd_graph_new(struct hd_arena *arena, size_t references,
                              void (*roots)(void *context), void *context);
void hd_graph_mark(struct hd_graph *g, hd_node node);

/* A transaction begins; `before` is the last operation of its thread, or none.
 * Region HD_NO_ID: no transaction, only an operation that may yet get edges. */
hd_node hd_graph_open(struct hd_graph *g, const struct hd_point *before,
                      const struct hd_access *op, uint32_t region);
void hd_graph_close(struct hd_graph *g, hd_node node);
bool hd_graph_running(const struct hd_graph *g, hd_node node);

/* An operation outside of transactions. Between start and end, name what comes
 * before it; the end tells its node. */
void hd_graph_single(struct hd_graph *g, const struct hd_point *before);
void hd_graph_single_after(struct hd_graph *g, const struct hd_point *from);
hd_node hd_graph_single_end(struct hd_graph *g, const struct hd_access *op);

/* The way from the running node `to` to `from`, which an edge is about to close.
 * Fills at most `room` hops, returns how many there are. */
uint32_t hd_graph_path(const struct hd_graph *g, const struct hd_point *from, hd_node to,
                       struct hd_hop *hops, uint32_t room);

/* What the inline part below looks at. */
struct hd_graph_node {
    uint32_t generation;
    uint32_t slot; /* HD_NO_ID: has ended */
    uint32_t region;
    uint32_t next; /* when free */
    bool unary, used, marked;
};
struct hd_graph_view {
    struct hd_graph_node *nodes;
    uint64_t *masks; /* `words` per node */
    uint32_t words;
};
static inline const struct hd_graph_view *hd_graph_view(const struct hd_graph *g) {
    return (const struct hd_graph_view *)g; /* its first member */
}
static inline uint32_t hd_node_index(hd_node node) { return (uint32_t)node - 1; }
static inline uint32_t hd_node_generation(hd_node node) { return (uint32_t)(node >> 32); }

/* Is this reference still to something? */
static inline bool hd_graph_has(const struct hd_graph *g, hd_node node) {
    return node && hd_graph_view(g)->nodes[hd_node_index(node)].generation ==
                       hd_node_generation(node);
}

bool hd_graph_edge_slow(struct hd_graph *g, const struct hd_point *from,
                        const struct hd_access *op, hd_node to);

/* An edge from an earlier operation to `op` in the running node `to`. True if it
 * closes a cycle; the edge counts all the same. */
static inline bool hd_graph_edge(struct hd_graph *g, const struct hd_point *from,
                                 const struct hd_access *op, hd_node to) {
    const struct hd_graph_view *v = hd_graph_view(g);
    if (from->node == to || !hd_graph_has(g, from->node)) return false;
    if (v->words == 1) {
        uint32_t a = hd_node_index(from->node), b = hd_node_index(to);
        uint64_t bits = v->masks[a], own = UINT64_C(1) << v->nodes[b].slot;
        if (v->nodes[a].slot != HD_NO_ID) bits |= UINT64_C(1) << v->nodes[a].slot;
        if (!(bits & ~v->masks[b] & ~own)) return bits & own;
    }
    return hd_graph_edge_slow(g, from, op, to);
}

#endif

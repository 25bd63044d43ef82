/* graph_link.h - why a node is after a running one: ways made of edges, shared.
 *
 * A way is an edge and the way up to it, or two ways put end to end. Ways share
 * their beginnings, and the bits that come by one edge share the edge. Most ways are
 * never looked at: they are kept small, and what is unused is found by marking. */
#ifndef HD_GRAPH_LINK_H
#define HD_GRAPH_LINK_H

#include "checkers/graph.h"

/* 0 is no way, and no edge. */
struct hd_way {
    uint32_t left;  /* the way up to here; 0: it begins here */
    uint32_t right; /* a way to append; 0: append the edge `last` */
    uint32_t first, last; /* edges */
    uint16_t length;      /* edges in all */
    bool used, marked;
};

struct hd_edge {
    struct hd_hop hop;
    uint32_t next; /* when free */
    bool used, marked;
};

struct hd_links {
    struct hd_arena *arena;
    struct hd_way *ways;
    struct hd_edge *edges;
    uint32_t *stack;
    size_t way_room, edge_room, stack_room;
    uint32_t way_count, way_limit, way_free, ways_used;
    uint32_t edge_count, edge_limit, edge_free, edges_used;
};

void hd_links_begin(struct hd_links *links, struct hd_arena *arena);
/* True: mark what is in use and sweep, before more is made. */
static inline bool hd_links_full(const struct hd_links *links) {
    return links->ways_used >= links->way_limit || links->edges_used >= links->edge_limit;
}
uint32_t hd_links_edge(struct hd_links *links, const struct hd_hop *hop);
uint32_t hd_links_append(struct hd_links *links, uint32_t way, uint32_t edge);
uint32_t hd_links_join(struct hd_links *links, uint32_t left, uint32_t right);
uint32_t hd_links_unfold(const struct hd_links *links, uint32_t way, struct hd_hop *hops,
                         uint32_t room);

void hd_links_unmark(struct hd_links *links);
void hd_links_mark(struct hd_links *links, uint32_t way);
void hd_links_sweep(struct hd_links *links); /* the unmarked are free; new limits */

#endif

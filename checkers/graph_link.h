/* graph_link.h - why a node is after a running one: chains of edges, shared.
 *
 * A link is the last edge of a way and the way up to it, or two ways put end to
 * end. Ways share their beginnings. Links are found unused by marking. */
#ifndef HD_GRAPH_LINK_H
#define HD_GRAPH_LINK_H

#include "checkers/graph.h"

struct hd_link {
    struct hd_access from, to;
    uint32_t left;   /* the way up to here; 0: it begins here */
    uint32_t right;  /* a way to append, instead of the edge; 0: the edge */
    uint32_t region; /* of the node that the edge ends in */
    uint16_t length; /* edges in all */
    bool unary, skips, marked, used;
};

struct hd_links {
    struct hd_arena *arena;
    struct hd_link *at;
    uint32_t *stack;
    size_t room, stack_room;
    uint32_t count, limit, free, used;
};

void hd_links_begin(struct hd_links *links, struct hd_arena *arena);
static inline bool hd_links_full(const struct hd_links *links) {
    return links->used >= links->limit;
}
uint32_t hd_links_edge(struct hd_links *links, uint32_t way, const struct hd_access *from,
                       const struct hd_access *to, uint32_t region, bool unary);
uint32_t hd_links_join(struct hd_links *links, uint32_t left, uint32_t right);
uint32_t hd_links_unfold(const struct hd_links *links, uint32_t way, struct hd_hop *hops,
                         uint32_t room);

void hd_links_unmark(struct hd_links *links);
void hd_links_mark(struct hd_links *links, uint32_t link);
void hd_links_sweep(struct hd_links *links); /* the unmarked are free; a new limit */

#endif

/* graph_link.c - the ways behind the bits of a graph (graph_link.h). */
#include "checkers/graph_link.h"

#define LIMIT_FIRST (1u << 12) /* half a megabyte: looking more often would cost more */

void hd_links_begin(struct hd_links *links, struct hd_arena *arena) {
    links->arena = arena;
    links->way_count = links->edge_count = 1;
    links->way_limit = links->edge_limit = LIMIT_FIRST;
    HD_ARENA_FIT(arena, links->ways, links->way_room, 255);
    HD_ARENA_FIT(arena, links->edges, links->edge_room, 255);
}

uint32_t hd_links_edge(struct hd_links *links, const struct hd_hop *hop) {
    uint32_t id = links->edge_free;
    if (id) {
        links->edge_free = links->edges[id].next;
    } else {
        id = links->edge_count++;
        HD_ARENA_FIT(links->arena, links->edges, links->edge_room, id);
    }
    links->edges_used++;
    links->edges[id].hop = *hop;
    links->edges[id].used = true;
    return id;
}

static uint32_t new_way(struct hd_links *links, uint32_t left, uint32_t right, uint32_t first,
                        uint32_t last, uint32_t length) {
    uint32_t id = links->way_free;
    if (id) {
        links->way_free = links->ways[id].left;
    } else {
        id = links->way_count++;
        HD_ARENA_FIT(links->arena, links->ways, links->way_room, id);
    }
    links->ways_used++;
    if (length > HD_GRAPH_LONG) { /* one edge that stands for all of it */
        struct hd_hop hop = links->edges[last].hop;
        hop.from = links->edges[first].hop.from;
        hop.skips = true;
        first = last = hd_links_edge(links, &hop);
        left = right = 0;
        length = 1;
    }
    links->ways[id] = (struct hd_way){left, right, first, last, (uint16_t)length, true, false};
    return id;
}

uint32_t hd_links_append(struct hd_links *links, uint32_t way, uint32_t edge) {
    if (!way) return new_way(links, 0, 0, edge, edge, 1);
    const struct hd_way *w = &links->ways[way];
    return new_way(links, way, 0, w->first, edge, w->length + 1u);
}

uint32_t hd_links_join(struct hd_links *links, uint32_t left, uint32_t right) {
    const struct hd_way *a = &links->ways[left], *b = &links->ways[right];
    return new_way(links, left, right, a->first, b->last, (uint32_t)a->length + b->length);
}

uint32_t hd_links_unfold(const struct hd_links *links, uint32_t way, struct hd_hop *hops,
                         uint32_t room) {
    /* From the end to the beginning. What is left of a join waits; a way has at most
     * HD_GRAPH_LONG edges, hence fewer joins. */
    uint32_t stack[HD_GRAPH_LONG], depth = 0;
    uint32_t count = links->ways[way].length, at = count;
    for (;;) {
        const struct hd_way *w = &links->ways[way];
        if (way && w->right) {
            stack[depth++] = w->left;
            way = w->right;
        } else if (way) {
            if (--at < room) hops[at] = links->edges[w->last].hop;
            way = w->left;
        } else if (depth) {
            way = stack[--depth];
        } else {
            return count;
        }
    }
}

void hd_links_unmark(struct hd_links *links) {
    for (uint32_t i = 1; i < links->way_count; i++) links->ways[i].marked = false;
    for (uint32_t i = 1; i < links->edge_count; i++) links->edges[i].marked = false;
}

void hd_links_mark(struct hd_links *links, uint32_t way) {
    size_t depth = 0;
    for (;;) {
        while (way && !links->ways[way].marked) {
            struct hd_way *w = &links->ways[way];
            w->marked = true;
            if (w->right) {
                HD_ARENA_FIT(links->arena, links->stack, links->stack_room, depth);
                links->stack[depth++] = w->right;
            } else {
                links->edges[w->last].marked = true; /* `first` is one of these, too */
            }
            way = w->left;
        }
        if (!depth) return;
        way = links->stack[--depth];
    }
}

static uint32_t limit(uint32_t used) {
    return used > LIMIT_FIRST / 3 ? used * 3 : LIMIT_FIRST;
}

void hd_links_sweep(struct hd_links *links) {
    for (uint32_t i = 1; i < links->way_count; i++) {
        struct hd_way *w = &links->ways[i];
        if (!w->used || w->marked) continue;
        w->used = false;
        w->left = links->way_free;
        links->way_free = i;
        links->ways_used--;
    }
    for (uint32_t i = 1; i < links->edge_count; i++) {
        struct hd_edge *e = &links->edges[i];
        if (!e->used || e->marked) continue;
        e->used = false;
        e->next = links->edge_free;
        links->edge_free = i;
        links->edges_used--;
    }
    links->way_limit = limit(links->ways_used);
    links->edge_limit = limit(links->edges_used);
}

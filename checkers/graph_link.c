/* graph_link.c - the chains behind the bits of a graph (graph_link.h). */
#include "checkers/graph_link.h"

#define LIMIT_FIRST 16384

void hd_links_begin(struct hd_links *links, struct hd_arena *arena) {
    links->arena = arena;
    links->count = 1; /* 0 means none */
    links->limit = LIMIT_FIRST;
    HD_ARENA_FIT(arena, links->at, links->room, 255);
}

static uint32_t fresh(struct hd_links *links) {
    uint32_t link = links->free;
    if (link) {
        links->free = links->at[link].left;
    } else {
        link = links->count++;
        HD_ARENA_FIT(links->arena, links->at, links->room, link);
    }
    links->used++;
    links->at[link].used = true;
    links->at[link].right = 0;
    links->at[link].skips = false;
    return link;
}

/* The first edge of a way. */
static uint32_t first(const struct hd_links *links, uint32_t way) {
    while (links->at[way].left) way = links->at[way].left;
    return way;
}

/* The last edge of a way. */
static uint32_t last(const struct hd_links *links, uint32_t way) {
    while (links->at[way].right) way = links->at[way].right;
    return way;
}

/* One edge that stands for a whole way and the edge behind it. */
static void shorten(struct hd_links *links, struct hd_link *link, uint32_t way) {
    link->from = links->at[first(links, way)].from;
    link->left = 0;
    link->length = 1;
    link->skips = true;
}

uint32_t hd_links_edge(struct hd_links *links, uint32_t way, const struct hd_access *from,
                       const struct hd_access *to, uint32_t region, bool unary) {
    uint32_t id = fresh(links);
    struct hd_link *link = &links->at[id];
    link->from = *from;
    link->to = *to;
    link->left = way;
    link->region = region;
    link->unary = unary;
    link->length = way ? (uint16_t)(links->at[way].length + 1) : 1;
    if (link->length > HD_GRAPH_LONG) shorten(links, link, way);
    return id;
}

uint32_t hd_links_join(struct hd_links *links, uint32_t left, uint32_t right) {
    uint32_t id = fresh(links);
    struct hd_link *link = &links->at[id];
    link->left = left;
    link->right = right;
    link->length = (uint16_t)(links->at[left].length + links->at[right].length);
    if (link->length > HD_GRAPH_LONG) {
        const struct hd_link *end = &links->at[last(links, right)];
        link->to = end->to;
        link->region = end->region;
        link->unary = end->unary;
        link->right = 0;
        shorten(links, link, left);
    }
    return id;
}

uint32_t hd_links_unfold(const struct hd_links *links, uint32_t way, struct hd_hop *hops,
                         uint32_t room) {
    /* Backwards: the right part, then the left one, waits on a short stack. A way
     * has at most HD_GRAPH_LONG edges, hence as many joins. */
    uint32_t stack[2 * HD_GRAPH_LONG + 2], depth = 0;
    uint32_t count = links->at[way].length, at = count;
    stack[depth++] = way;
    while (depth) {
        uint32_t id = stack[--depth];
        while (id) {
            const struct hd_link *link = &links->at[id];
            if (link->right) {
                stack[depth++] = link->left;
                id = link->right;
                continue;
            }
            if (--at < room) {
                hops[at] = (struct hd_hop){link->from, link->to, link->region, link->unary,
                                           link->skips};
            }
            id = link->left;
        }
    }
    return count;
}

void hd_links_unmark(struct hd_links *links) {
    for (uint32_t i = 1; i < links->count; i++) links->at[i].marked = false;
}

void hd_links_mark(struct hd_links *links, uint32_t link) {
    size_t depth = 0;
    for (;;) {
        while (link && !links->at[link].marked) {
            links->at[link].marked = true;
            if (links->at[link].right) {
                HD_ARENA_FIT(links->arena, links->stack, links->stack_room, depth);
                links->stack[depth++] = links->at[link].right;
            }
            link = links->at[link].left;
        }
        if (!depth) return;
        link = links->stack[--depth];
    }
}

void hd_links_sweep(struct hd_links *links) {
    for (uint32_t i = 1; i < links->count; i++) {
        struct hd_link *link = &links->at[i];
        if (!link->used || link->marked) continue;
        link->used = false;
        link->left = links->free;
        links->free = i;
        links->used--;
    }
    links->limit = links->used * 2 > LIMIT_FIRST ? links->used * 2 : LIMIT_FIRST;
}

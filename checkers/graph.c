/* graph.c - reachability from running transactions (rules in graph.h). */
#include "checkers/graph.h"

#include "checkers/graph_link.h"
#include "sched/trace/bug.h"

#include <string.h>

/* A slot: the node that runs in it, and all nodes that it reaches. */
struct slot {
    hd_node node;
    hd_node *reach;
    size_t count, room;
    uint32_t next; /* when free */
};

struct hd_graph {
    struct hd_graph_view view; /* first: graph.h looks at it */
    struct hd_arena *arena;
    uint32_t *why; /* `slots` links per node: how the bit came */
    uint32_t node_count, node_room, node_limit, node_free, node_base;
    uint32_t used;
    struct slot *slots;
    uint32_t slot_count, slot_room, slot_free;
    struct hd_links links;
    void (*roots)(void *context);
    void *context;
    /* The operation outside of transactions that is being put together. */
    uint64_t *sum;
    const struct hd_point *before;
    struct source {
        struct hd_point point;
        uint32_t slot;
    } *sources;
    size_t source_count, source_room;
};

#define NONE HD_NO_ID
#define SLOTS_FIRST 8

static uint64_t *mask_of(const struct hd_graph *g, uint32_t node) {
    return g->view.masks + (size_t)node * g->view.words;
}
static uint32_t *why_of(const struct hd_graph *g, uint32_t node) {
    return g->why + (size_t)node * g->slot_room;
}
static bool bit(const uint64_t *mask, uint32_t slot) { return mask[slot / 64] >> slot % 64 & 1; }
static void set_bit(uint64_t *mask, uint32_t slot) { mask[slot / 64] |= UINT64_C(1) << slot % 64; }
static hd_node name(const struct hd_graph *g, uint32_t index) {
    return (hd_node)g->view.nodes[index].generation << 32 | (index + 1);
}
static bool empty(const struct hd_graph *g, const uint64_t *mask) {
    for (uint32_t w = 0; w < g->view.words; w++) {
        if (mask[w]) return false;
    }
    return true;
}

struct hd_graph *hd_graph_new(struct hd_arena *arena, size_t references,
                              void (*roots)(void *context), void *context) {
    struct hd_graph *g = hd_arena_get(arena, sizeof *g);
    g->arena = arena;
    g->roots = roots;
    g->context = context;
    g->node_free = g->slot_free = NONE;
    /* Marking walks all references: not before as many nodes were made as pay for it. */
    size_t base = references / 8 + 4096;
    g->node_base = g->node_limit = base > 1u << 26 ? 1u << 26 : (uint32_t)base;
    g->slot_room = SLOTS_FIRST;
    g->slots = hd_arena_array(arena, g->slot_room, sizeof *g->slots);
    g->view.words = 1;
    g->sum = hd_arena_array(arena, 1, sizeof *g->sum);
    hd_links_begin(&g->links, arena);
    return g;
}

/* ---- rooms ---------------------------------------------------------------- */

static void grow_nodes(struct hd_graph *g) {
    size_t from = g->node_room, to = from ? from * 2 : 256, words = g->view.words;
    g->view.nodes = hd_arena_grow(g->arena, g->view.nodes, from, to, sizeof *g->view.nodes);
    g->view.masks = hd_arena_grow(g->arena, g->view.masks, from * words, to * words,
                                  sizeof *g->view.masks);
    g->why = hd_arena_grow(g->arena, g->why, from * g->slot_room, to * g->slot_room,
                           sizeof *g->why);
    g->node_room = (uint32_t)to;
}

/* More slots: rows get longer, so they move apart, the last one first. */
static void grow_slots(struct hd_graph *g) {
    uint32_t old = g->slot_room, to = old * 2, had = g->view.words, words = (to + 63) / 64;
    size_t nodes = g->node_room;
    g->slots = hd_arena_grow(g->arena, g->slots, old, to, sizeof *g->slots);
    g->why = hd_arena_grow(g->arena, g->why, nodes * old, nodes * to, sizeof *g->why);
    for (size_t n = nodes; n-- > 1;) {
        memmove(g->why + n * to, g->why + n * old, old * sizeof *g->why);
    }
    if (words != had) {
        g->view.masks = hd_arena_grow(g->arena, g->view.masks, nodes * had, nodes * words,
                                      sizeof *g->view.masks);
        for (size_t n = nodes; n-- > 0;) {
            memmove(g->view.masks + n * words, g->view.masks + n * had,
                    had * sizeof *g->view.masks);
            memset(g->view.masks + n * words + had, 0, (words - had) * sizeof *g->view.masks);
        }
        g->sum = hd_arena_grow(g->arena, g->sum, had, words, sizeof *g->sum);
    }
    g->slot_room = to;
    g->view.words = words;
}

/* ---- what nobody needs ------------------------------------------------------ */

static void free_node(struct hd_graph *g, uint32_t index) {
    struct hd_graph_node *n = &g->view.nodes[index];
    n->generation++;
    n->used = false;
    n->next = g->node_free;
    g->node_free = index;
    g->used--;
}

void hd_graph_mark(struct hd_graph *g, hd_node node) {
    if (hd_graph_has(g, node)) g->view.nodes[hd_node_index(node)].marked = true;
}

static void collect_nodes(struct hd_graph *g) {
    for (uint32_t i = 0; i < g->node_count; i++) g->view.nodes[i].marked = false;
    g->roots(g->context);
    for (size_t i = 0; i < g->source_count; i++) hd_graph_mark(g, g->sources[i].point.node);
    for (uint32_t i = 0; i < g->node_count; i++) {
        struct hd_graph_node *n = &g->view.nodes[i];
        if (n->used && !n->marked && n->slot == NONE) free_node(g, i);
    }
    for (uint32_t s = 0; s < g->slot_count; s++) {
        struct slot *slot = &g->slots[s];
        size_t kept = 0;
        for (size_t i = 0; i < slot->count; i++) {
            if (hd_graph_has(g, slot->reach[i])) slot->reach[kept++] = slot->reach[i];
        }
        slot->count = kept;
    }
    g->node_limit = g->used * 2 > g->node_base ? g->used * 2 : g->node_base;
}

static void collect_links(struct hd_graph *g) {
    hd_links_unmark(&g->links);
    for (uint32_t i = 0; i < g->node_count; i++) {
        if (!g->view.nodes[i].used) continue;
        const uint64_t *mask = mask_of(g, i);
        const uint32_t *why = why_of(g, i);
        for (uint32_t w = 0; w < g->view.words; w++) {
            for (uint64_t bits = mask[w]; bits; bits &= bits - 1) {
                hd_links_mark(&g->links, why[w * 64 + (uint32_t)__builtin_ctzll(bits)]);
            }
        }
    }
    hd_links_sweep(&g->links);
}

static uint32_t new_node(struct hd_graph *g, uint32_t region, bool unary) {
    if (g->used >= g->node_limit) collect_nodes(g);
    uint32_t index = g->node_free;
    if (index != NONE) {
        g->node_free = g->view.nodes[index].next;
    } else {
        if (g->node_count == g->node_room) grow_nodes(g);
        index = g->node_count++;
        g->view.nodes[index].generation = 1;
    }
    struct hd_graph_node *n = &g->view.nodes[index];
    n->slot = NONE;
    n->region = region;
    n->unary = unary;
    n->used = true;
    memset(mask_of(g, index), 0, g->view.words * sizeof *g->view.masks);
    g->used++;
    return index;
}

/* ---- bits --------------------------------------------------------------------- */

/* Does the running node in `slot` reach `index`, or is it that node? */
static bool reaches(const struct hd_graph *g, uint32_t slot, uint32_t index) {
    return g->view.nodes[index].slot == slot || bit(mask_of(g, index), slot);
}

static void learn(struct hd_graph *g, uint32_t index, uint32_t slot, uint32_t link) {
    struct slot *s = &g->slots[slot];
    set_bit(mask_of(g, index), slot);
    why_of(g, index)[slot] = link;
    HD_ARENA_FIT(g->arena, s->reach, s->room, s->count);
    s->reach[s->count++] = name(g, index);
}

/* `index` is now after the node in `slot`, by an edge from `from`. `*edge`: 0, or
 * the edge as it was told before, for another slot. */
static void learn_edge(struct hd_graph *g, uint32_t index, uint32_t slot,
                       const struct hd_point *from, const struct hd_access *to, uint32_t *edge) {
    if (hd_links_full(&g->links)) {
        collect_links(g);
        *edge = 0;
    }
    uint32_t a = hd_node_index(from->node);
    uint32_t way = g->view.nodes[a].slot == slot ? 0 : why_of(g, a)[slot];
    const struct hd_graph_node *n = &g->view.nodes[index];
    if (!*edge) {
        struct hd_hop hop = {from->op, *to, n->region, n->unary, false};
        *edge = hd_links_edge(&g->links, &hop);
    }
    learn(g, index, slot, hd_links_append(&g->links, way, *edge));
}

bool hd_graph_edge_slow(struct hd_graph *g, const struct hd_point *from,
                        const struct hd_access *op, hd_node to) {
    uint32_t a = hd_node_index(from->node), b = hd_node_index(to), edge = 0;
    uint32_t own = g->view.nodes[b].slot;
    bool closes = reaches(g, own, a);
    for (uint32_t s = 0; s < g->slot_count; s++) {
        if (s == own || !reaches(g, s, a) || bit(mask_of(g, b), s)) continue;
        learn_edge(g, b, s, from, op, &edge);
        struct slot *slot = &g->slots[own];
        for (size_t i = 0; i < slot->count; i++) {
            if (!hd_graph_has(g, slot->reach[i])) continue;
            uint32_t c = hd_node_index(slot->reach[i]);
            if (reaches(g, s, c)) continue;
            if (hd_links_full(&g->links)) {
                collect_links(g);
                edge = 0;
            }
            learn(g, c, s, hd_links_join(&g->links, why_of(g, b)[s], why_of(g, c)[own]));
        }
    }
    return closes;
}

/* ---- transactions --------------------------------------------------------------- */

hd_node hd_graph_open(struct hd_graph *g, const struct hd_point *before,
                      const struct hd_access *op, uint32_t region) {
    uint32_t index = new_node(g, region, region == NONE);
    uint32_t s = g->slot_free;
    if (s != NONE) {
        g->slot_free = g->slots[s].next;
    } else {
        if (g->slot_count == g->slot_room) grow_slots(g);
        s = g->slot_count++;
    }
    g->view.nodes[index].slot = s;
    g->slots[s].node = name(g, index);
    g->slots[s].count = 0;
    if (before) hd_graph_edge(g, before, op, name(g, index));
    return name(g, index);
}

bool hd_graph_running(const struct hd_graph *g, hd_node node) {
    return hd_graph_has(g, node) && g->view.nodes[hd_node_index(node)].slot != NONE;
}

void hd_graph_close(struct hd_graph *g, hd_node node) {
    if (!hd_graph_running(g, node)) return;
    uint32_t index = hd_node_index(node), s = g->view.nodes[index].slot;
    struct slot *slot = &g->slots[s];
    g->view.nodes[index].slot = NONE;
    for (size_t i = 0; i < slot->count; i++) {
        if (!hd_graph_has(g, slot->reach[i])) continue;
        uint32_t c = hd_node_index(slot->reach[i]);
        uint64_t *mask = mask_of(g, c);
        mask[s / 64] &= ~(UINT64_C(1) << s % 64);
        if (g->view.nodes[c].slot == NONE && empty(g, mask)) free_node(g, c);
    }
    slot->count = 0;
    slot->node = 0;
    slot->next = g->slot_free;
    g->slot_free = s;
    if (hd_graph_has(g, node) && empty(g, mask_of(g, index))) free_node(g, index);
}

/* ---- operations outside of transactions -------------------------------------------- */

void hd_graph_single(struct hd_graph *g, const struct hd_point *before) {
    memset(g->sum, 0, g->view.words * sizeof *g->sum);
    g->source_count = 0;
    g->before = before;
    hd_graph_single_after(g, before);
}

void hd_graph_single_after(struct hd_graph *g, const struct hd_point *from) {
    if (!hd_graph_has(g, from->node)) return;
    uint32_t a = hd_node_index(from->node);
    const uint64_t *mask = mask_of(g, a);
    uint32_t slot = g->view.nodes[a].slot;
    for (uint32_t w = 0; w < g->view.words; w++) {
        uint64_t bits = mask[w];
        if (slot != NONE && slot / 64 == w) bits |= UINT64_C(1) << slot % 64;
        for (bits &= ~g->sum[w]; bits; bits &= bits - 1) {
            uint32_t s = w * 64 + (uint32_t)__builtin_ctzll(bits);
            set_bit(g->sum, s);
            HD_ARENA_FIT(g->arena, g->sources, g->source_room, g->source_count);
            g->sources[g->source_count++] = (struct source){*from, s};
        }
    }
}

hd_node hd_graph_single_end(struct hd_graph *g, const struct hd_access *op) {
    if (!g->source_count) return 0;
    if (hd_graph_has(g, g->before->node)) { /* rule (5) */
        uint32_t last = hd_node_index(g->before->node);
        if (g->view.nodes[last].slot == NONE &&
            !memcmp(g->sum, mask_of(g, last), g->view.words * sizeof *g->sum)) {
            return g->before->node;
        }
    }
    uint32_t index = new_node(g, NONE, true);
    uint32_t edge = 0;
    for (size_t i = 0; i < g->source_count; i++) {
        const struct source *s = &g->sources[i];
        if (i && s->point.op.seq != s[-1].point.op.seq) edge = 0;
        learn_edge(g, index, s->slot, &s->point, op, &edge);
    }
    return name(g, index);
}

/* ---- showing a cycle ------------------------------------------------------------------ */

uint32_t hd_graph_path(const struct hd_graph *g, const struct hd_point *from, hd_node to,
                       struct hd_hop *hops, uint32_t room) {
    uint32_t a = hd_node_index(from->node), slot = g->view.nodes[hd_node_index(to)].slot;
    HD_BUG_ON(slot == NONE || !bit(mask_of(g, a), slot), "no way back to show");
    return hd_links_unfold(&g->links, why_of(g, a)[slot], hops, room);
}

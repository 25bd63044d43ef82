/* blocks_cycle.c - distinct transactions, and circles among them. */
#include "checkers/blocks_cycle.h"

#include <string.h>

#define STATES_MAX (1u << 20)    /* of one decision about everything */
#define TRIPLE_STATES (1u << 14) /* of one decision among many */
#define ALL_STATES (1u << 24)    /* of all of these together: some ten seconds */
#define ALIVE_MAX 1024           /* transactions among which circles are looked for */
#define RUN_MAX 256

void hd_blocks_cycles_init(struct hd_blocks_cycles *c, const struct hd_pass *pass) {
    memset(c, 0, sizeof *c);
    c->pass = pass;
    c->table_mask = 1023;
    c->table = hd_arena_array(pass->arena, c->table_mask + 1, sizeof *c->table);
    c->whole = HD_BLOCKS_TOO_LARGE;
}

/* ---- keeping transactions ---------------------------------------------- */

static uint32_t put_item(struct hd_blocks_cycles *c, uint32_t at, uint8_t what,
                         uint32_t obj, const struct hd_blocks_entry *entry) {
    HD_ARENA_FIT(c->pass->arena, c->items, c->item_room, at);
    HD_ARENA_FIT(c->pass->arena, c->held, c->held_room, at);
    HD_ARENA_FIT(c->pass->arena, c->events, c->event_room, at);
    c->items[at] = (struct hd_blocks_item){.obj = obj, .what = what};
    c->held[at] = entry ? entry->held : HD_LOCKSET_EMPTY;
    c->events[at] = entry ? entry->event : (struct hd_blocks_event){.seq = UINT64_MAX};
    return at + 1;
}

static uint32_t put_lock(struct hd_blocks_cycles *c, uint32_t at,
                         const struct hd_blocks_step *op) {
    return put_item(c, at,
                    op->release  ? HD_BLOCKS_ITEM_RELEASE
                    : op->shared ? HD_BLOCKS_ITEM_SHARE
                                 : HD_BLOCKS_ITEM_ACQUIRE,
                    op->lock, NULL);
}

/* Lock operations and entries in the order of the program, into scratch. */
static uint32_t flatten(struct hd_blocks_cycles *c, const struct hd_blocks_builder *b) {
    uint32_t count = 0, next = 0;
    for (uint32_t i = 0; i < b->outer; i++)
        count = put_lock(c, count, &b->ops[i]);
    for (uint32_t segment = 0; segment <= b->segment; segment++) {
        for (; next < b->entry_count && b->entries[next].segment == segment; next++) {
            const struct hd_blocks_entry *e = &b->entries[next];
            count = put_item(c, count,
                             e->op == HD_BLOCKS_W ? HD_BLOCKS_ITEM_WRITE
                                                  : HD_BLOCKS_ITEM_READ,
                             e->granule, e);
            c->items[count - 1].glued =
                next && e->event.seq == b->entries[next - 1].event.seq;
        }
        if (segment < b->segment) count = put_lock(c, count, &b->ops[b->outer + segment]);
    }
    for (uint32_t i = b->outer + b->segment; i < b->op_count; i++)
        count = put_lock(c, count, &b->ops[i]);
    return count;
}

static uint64_t hash_of(const struct hd_blocks_node *node) {
    uint64_t h = (uint64_t)node->region << 32 | node->period;
    h ^= (uint64_t)node->thread << 17 ^ node->length;
    for (uint32_t i = 0; i < node->length; i++) {
        h = (h ^ ((uint64_t)node->items[i].obj << 4 | node->items[i].glued * 8u |
                  node->items[i].what)) *
            UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 31;
    }
    return h * UINT64_C(0x9e3779b97f4a7c15) >> 20;
}

static bool equal(const struct hd_blocks_node *a, const struct hd_blocks_node *b) {
    if (a->region != b->region || a->period != b->period || a->thread != b->thread ||
        a->length != b->length) {
        return false;
    }
    for (uint32_t i = 0; i < a->length; i++) {
        if (a->items[i].obj != b->items[i].obj || a->items[i].what != b->items[i].what ||
            a->items[i].glued != b->items[i].glued) {
            return false;
        }
    }
    return true;
}

static void grow(struct hd_blocks_cycles *c) {
    uint32_t size = (c->table_mask + 1) * 2;
    c->table = hd_arena_grow(c->pass->arena, c->table, c->table_mask + 1, size,
                             sizeof *c->table);
    memset(c->table, 0, size * sizeof *c->table);
    c->table_mask = size - 1;
    for (uint32_t i = 0; i < c->node_count; i++) {
        uint32_t at = hash_of(&c->nodes[i]) & c->table_mask;
        while (c->table[at])
            at = (at + 1) & c->table_mask;
        c->table[at] = i + 1;
    }
}

static void *copy(struct hd_arena *arena, const void *from, uint32_t count, size_t size) {
    return memcpy(hd_arena_array(arena, count, size), from, count * size);
}

void hd_blocks_cycles_add(void *cycles, const struct hd_blocks_builder *b) {
    struct hd_blocks_cycles *c = cycles;
    struct hd_arena *arena = c->pass->arena;
    if (!b->entry_count) return;
    struct hd_blocks_node node = {.region = b->region,
                                  .period = b->period,
                                  .thread = b->thread,
                                  .length = flatten(c, b)};
    node.items = c->items;
    if (c->node_count * 2 > c->table_mask) grow(c);
    uint32_t at = hash_of(&node) & c->table_mask;
    for (; c->table[at]; at = (at + 1) & c->table_mask) {
        struct hd_blocks_node *known = &c->nodes[c->table[at] - 1];
        if (!equal(known, &node)) continue;
        if (known->instances == 1) {
            known->instance[1].events =
                copy(arena, c->events, node.length, sizeof *c->events);
            known->instances = 2;
        } else {
            memcpy(known->instance[1].events, c->events, node.length * sizeof *c->events);
        }
        known->instance[1].txn = b->txn;
        return;
    }
    node.items = copy(arena, c->items, node.length, sizeof *c->items);
    node.held = copy(arena, c->held, node.length, sizeof *c->held);
    node.instance[0].txn = b->txn;
    node.instance[0].events = copy(arena, c->events, node.length, sizeof *c->events);
    node.instances = 1;
    HD_ARENA_FIT(arena, c->nodes, c->node_room, c->node_count);
    c->nodes[c->node_count++] = node;
    c->table[at] = c->node_count;
}

/* ---- sets to decide ---------------------------------------------------- */

static const struct hd_blocks_node *node_of(const struct hd_blocks_cycles *c,
                                            uint32_t id) {
    return &c->nodes[id / 2];
}

static bool is_before(const struct hd_blocks_cycles *c, uint32_t a, uint32_t b) {
    const struct hd_blocks_node *x = node_of(c, a), *y = node_of(c, b);
    if (x->thread == y->thread) return x->instance[a % 2].txn < y->instance[b % 2].txn;
    return c->periods && hd_period_before(c->periods, x->period, y->period);
}

static enum hd_blocks_answer decide(struct hd_blocks_cycles *c, const uint32_t *ids,
                                    uint32_t count, uint32_t states,
                                    struct hd_blocks_move *run, uint32_t *length) {
    struct hd_blocks_set set = {.count = count};
    for (uint32_t i = 0; i < count; i++) {
        set.items[i] = node_of(c, ids[i])->items;
        set.lengths[i] = node_of(c, ids[i])->length;
        for (uint32_t k = 0; k < count; k++) {
            set.before[i][k] = i != k && is_before(c, ids[i], ids[k]);
        }
    }
    enum hd_blocks_answer answer = hd_blocks_decide(&set, states, run, RUN_MAX, length);
    c->states_met += set.states_met + 16; /* also a small one costs something */
    return answer;
}

/* What a variable is used for, over all transactions. */
struct use {
    uint32_t thread; /* plus 1; UINT32_MAX: several */
    bool written;
};

/* Only variables that several threads use and somebody writes can matter, and
 * only transactions that touch such a one. */
static void find_alive(struct hd_blocks_cycles *c) {
    struct hd_arena *arena = c->pass->arena;
    struct use *uses =
        hd_arena_array(arena, hd_trace_granules(c->pass->trace) + 1, sizeof *uses);
    for (uint32_t n = 0; n < c->node_count; n++) {
        const struct hd_blocks_node *node = &c->nodes[n];
        for (uint32_t i = 0; i < node->length; i++) {
            if (node->items[i].what < HD_BLOCKS_ITEM_READ) continue;
            struct use *use = &uses[node->items[i].obj];
            if (!use->thread) use->thread = node->thread + 1u;
            if (use->thread != node->thread + 1u) use->thread = UINT32_MAX;
            if (node->items[i].what == HD_BLOCKS_ITEM_WRITE) use->written = true;
        }
    }
    c->alive = hd_arena_array(arena, (size_t)c->node_count * 2 + 1, sizeof *c->alive);
    for (uint32_t n = 0; n < c->node_count; n++) {
        const struct hd_blocks_node *node = &c->nodes[n];
        bool met = false;
        for (uint32_t i = 0; i < node->length && !met; i++) {
            const struct use *use = &uses[node->items[i].obj];
            met = node->items[i].what >= HD_BLOCKS_ITEM_READ && use->written &&
                  use->thread == UINT32_MAX;
        }
        for (uint32_t k = 0; met && k < node->instances; k++) {
            c->alive[c->alive_count++] = n * 2 + k;
        }
    }
}

bool hd_blocks_cycles_few(struct hd_blocks_cycles *c) {
    struct hd_blocks_move run[RUN_MAX];
    uint32_t length;
    find_alive(c);
    if (c->alive_count <= HD_BLOCKS_DECIDE_MAX) {
        c->whole = decide(c, c->alive, c->alive_count, STATES_MAX, run, &length);
    }
    return c->whole != HD_BLOCKS_TOO_LARGE;
}

/* ---- warnings ---------------------------------------------------------- */

/* The first transaction of the run that somebody else gets into. */
static uint32_t victim_of(const struct hd_blocks_cycles *c, const uint32_t *ids,
                          const struct hd_blocks_move *run, uint32_t length) {
    for (uint32_t i = 0; i < length; i++) {
        bool left = false;
        if (node_of(c, ids[run[i].txn])->region == HD_NO_ID) continue;
        for (uint32_t k = i + 1; k < length; k++) {
            if (run[k].txn != run[i].txn) left = true;
            if (run[k].txn == run[i].txn && left) return run[i].txn;
        }
    }
    return run[0].txn;
}

static void warn(struct hd_blocks_cycles *c, const uint32_t *ids, uint32_t count,
                 const struct hd_blocks_move *run, uint32_t length,
                 struct hd_warnings *out) {
    const struct hd_blocks_node *victim = node_of(c, ids[victim_of(c, ids, run, length)]);
    struct hd_warning w = {
        .kind = HD_ATOMICITY,
        .region = victim->region,
        .key = {victim->region},
        .pattern = "cycle",
        .why =
            "each transaction has to come before the next, and the last before the first",
    };
    uint32_t used = 0;
    w.variant[used++] =
        UINT32_MAX; /* no variable has this number: not a pattern of blocks */
    for (uint32_t i = 0; i < count && used < HD_WARNING_KEY; i++) {
        w.variant[used++] = node_of(c, ids[i])->region;
    }
    if (hd_warnings_again(out, w.kind, w.key, w.variant)) return;
    uint64_t witness[RUN_MAX];
    for (uint32_t i = 0; i < length; i++) {
        uint32_t id = ids[run[i].txn];
        const struct hd_blocks_node *node = node_of(c, id);
        const struct hd_blocks_instance *instance = &node->instance[id % 2];
        const struct hd_blocks_event *e = &instance->events[run[i].item];
        witness[i] = e->seq;
        if (w.access_count == HD_WARNING_ACCESSES) continue;
        w.accesses[w.access_count++] =
            (struct hd_access){.seq = e->seq,
                               .obj = node->items[run[i].item].obj,
                               .site = e->site,
                               .function = e->function,
                               .held = node->held[run[i].item],
                               .txn = instance->txn,
                               .thread = node->thread,
                               .kind = e->kind,
                               .flags = e->flags};
    }
    w.witness = witness;
    w.witness_count = length;
    hd_warnings_add(out, &w);
}

/* ---- circles of three --------------------------------------------------- */

enum tie { STRANGERS, ATOMIC, ORDERED, GUILTY };

static bool conflict(const struct hd_blocks_node *a, const struct hd_blocks_node *b) {
    for (uint32_t i = 0; i < a->length; i++) {
        if (a->items[i].what < HD_BLOCKS_ITEM_READ) continue;
        for (uint32_t k = 0; k < b->length; k++) {
            if (b->items[k].what >= HD_BLOCKS_ITEM_READ &&
                a->items[i].obj == b->items[k].obj &&
                (a->items[i].what == HD_BLOCKS_ITEM_WRITE ||
                 b->items[k].what == HD_BLOCKS_ITEM_WRITE)) {
                return true;
            }
        }
    }
    return false;
}

static enum tie tie_of(struct hd_blocks_cycles *c, uint32_t a, uint32_t b) {
    if (is_before(c, a, b) || is_before(c, b, a)) return ORDERED;
    if (!conflict(node_of(c, a), node_of(c, b))) return STRANGERS;
    struct hd_blocks_move run[RUN_MAX];
    uint32_t length, pair[2] = {a, b};
    enum hd_blocks_answer answer = decide(c, pair, 2, TRIPLE_STATES, run, &length);
    if (answer == HD_BLOCKS_TOO_LARGE) c->undecided++;
    return answer == HD_BLOCKS_NO ? ATOMIC
                                  : GUILTY; /* guilty pairs are reported as such */
}

/* Can these three be a circle of which no two are enough? */
static bool is_circle(const uint8_t *ties, uint32_t n, uint32_t i, uint32_t j,
                      uint32_t k) {
    const uint8_t tie[3] = {ties[i * n + j], ties[i * n + k], ties[j * n + k]};
    unsigned ordered = 0;
    for (int t = 0; t < 3; t++) {
        if (tie[t] != ATOMIC && tie[t] != ORDERED) return false;
        ordered += tie[t] == ORDERED;
    }
    return ordered <= 1;
}

static void find_triples(struct hd_blocks_cycles *c, struct hd_warnings *out) {
    uint32_t n = c->alive_count < ALIVE_MAX ? c->alive_count : ALIVE_MAX;
    c->undecided += c->alive_count - n;
    uint8_t *ties = hd_arena_array(c->pass->arena, (size_t)n * n, 1);
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < i; k++) {
            bool enough = c->states_met > ALL_STATES / 2;
            c->undecided += enough;
            ties[i * n + k] = ties[k * n + i] =
                enough ? STRANGERS : (uint8_t)tie_of(c, c->alive[i], c->alive[k]);
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (ties[i * n + k] == STRANGERS || ties[i * n + k] == GUILTY) continue;
            for (uint32_t j = 0; j < k; j++) {
                if (!is_circle(ties, n, i, j, k)) continue;
                struct hd_blocks_move run[RUN_MAX];
                uint32_t length, ids[3] = {c->alive[j], c->alive[k], c->alive[i]};
                if (c->states_met > ALL_STATES) {
                    c->undecided++;
                    continue;
                }
                enum hd_blocks_answer answer =
                    decide(c, ids, 3, TRIPLE_STATES, run, &length);
                if (answer == HD_BLOCKS_TOO_LARGE) c->undecided++;
                if (answer == HD_BLOCKS_YES && length) warn(c, ids, 3, run, length, out);
            }
        }
    }
}

void hd_blocks_cycles_find(struct hd_blocks_cycles *c, struct hd_warnings *out) {
    if (c->whole == HD_BLOCKS_TOO_LARGE) {
        find_triples(c, out);
    } else if (c->whole == HD_BLOCKS_YES) {
        struct hd_blocks_move run[RUN_MAX];
        uint32_t length;
        decide(c, c->alive, c->alive_count, STATES_MAX, run, &length);
        if (length) warn(c, c->alive, c->alive_count, run, length, out);
    }
    if (c->undecided) {
        hd_note(c->pass->notes,
                "blocks: theorem 5: too many transactions; %llu circles or pairs were "
                "left out",
                (unsigned long long)c->undecided);
    }
}

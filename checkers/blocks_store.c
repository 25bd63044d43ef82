/* blocks_store.c - interning of blocks.
 *
 * One probe finds the chain of blocks alike (same variables, region, thread; of one
 * variable also the same operations, and locks at the first; if whole transactions
 * count, the same places in the same shape); a chain holds the
 * variants that differ in the rest, and is short: lock disciplines have few
 * exceptions. */
#include "checkers/blocks_store.h"

#include "checkers/warning.h"

#include <string.h>

/* More variants than this of one pair of accesses are noise: the program has no
 * lock discipline there, and the first ones say so. */
#define VARIANTS_MAX 256
#define BLOCKS_MAX (UINT32_C(1) << 23)

void hd_blocks_store_init(struct hd_blocks_store *store, struct hd_arena *arena,
                          struct hd_locksets *sets) {
    memset(store, 0, sizeof *store);
    store->arena = arena;
    store->sets = sets;
    store->head_mask = 4095;
    store->heads = hd_arena_array(arena, store->head_mask + 1, sizeof *store->heads);
}

static uint64_t mix(uint64_t h, uint64_t value) {
    h = (h ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

uint32_t hd_blocks_store_hash(const struct hd_blocks_store *store,
                              const struct hd_blocks_block *block) {
    uint64_t h = mix(0, (uint64_t)block->var[0] << 32 | block->var[1]);
    h = mix(h,
            (uint64_t)block->region << 32 | (uint32_t)block->thread << 16 | block->flags);
    if (block->var[0] == block->var[1]) {
        h = mix(h, (uint64_t)block->held[0] << 32 | block->op[0] * 4u | block->op[1]);
    }
    if (block->shape != HD_BLOCKS_NONE) {
        h = mix(h, (uint64_t)block->at[0] << 32 | block->at[1]);
        h = mix(h, block->shape);
    }
    uint32_t hash = (uint32_t)(h ^ h >> 32);
    __builtin_prefetch(&store->heads[hash & store->head_mask]);
    return hash;
}

static bool alike(const struct hd_blocks_block *a, const struct hd_blocks_block *b) {
    if (a->var[0] != b->var[0] || a->var[1] != b->var[1] || a->region != b->region ||
        a->thread != b->thread || a->flags != b->flags || a->shape != b->shape ||
        a->at[0] != b->at[0] || a->at[1] != b->at[1]) {
        return false;
    }
    return a->var[0] != a->var[1] ||
           (a->held[0] == b->held[0] && a->op[0] == b->op[0] && a->op[1] == b->op[1]);
}

static bool same(const struct hd_blocks_block *a, const struct hd_blocks_block *b) {
    return a->op[0] == b->op[0] && a->op[1] == b->op[1] && a->held[0] == b->held[0] &&
           a->held[1] == b->held[1] && a->held12 == b->held12 && a->mid == b->mid &&
           a->gap == b->gap && a->shape == b->shape && a->at[0] == b->at[0] &&
           a->at[1] == b->at[1];
}

static bool within(struct hd_locksets *sets, uint32_t a, uint32_t b) {
    return a == b || a == HD_LOCKSET_EMPTY || hd_lockset_subset(sets, a, b);
}

/* A write conflicts with all that a read conflicts with. (Blocks alike of one
 * variable have the same operations.) */
static bool does_as_much(const struct hd_blocks_block *a,
                         const struct hd_blocks_block *b) {
    return a->op[0] >= b->op[0] && a->op[1] >= b->op[1];
}

/* `a` can do all that `b` can. Gaps and shapes are not compared: then only equal
 * blocks are merged. */
static bool covers(const struct hd_blocks_store *store, const struct hd_blocks_block *a,
                   const struct hd_blocks_block *b) {
    return !store->every && does_as_much(a, b) && a->gap == b->gap &&
           a->shape == HD_BLOCKS_NONE && b->shape == HD_BLOCKS_NONE &&
           within(store->sets, a->held12, b->held12) &&
           within(store->sets, a->held[0], b->held[0]) &&
           within(store->sets, a->held[1], b->held[1]) &&
           within(store->sets, a->mid, b->mid);
}

/* The sightings of a block form a ring, and the block knows the latest. */
static void add_sight(struct hd_blocks_store *store, struct hd_blocks_block *block,
                      const struct hd_blocks_event *first,
                      const struct hd_blocks_event *second, uint32_t period,
                      uint32_t txn) {
    HD_ARENA_FIT(store->arena, store->sights, store->sight_room, store->sight_count);
    uint32_t id = store->sight_count++;
    store->sights[id] = (struct hd_blocks_sight){
        .event = {*first, *second}, .period = period, .txn = txn, .next = id};
    if (block->last != HD_BLOCKS_NONE) {
        store->sights[id].next = store->sights[block->last].next;
        store->sights[block->last].next = id;
    }
    block->last = id;
    block->period = period;
}

/* The hash is in the table: the blocks are not looked at. */
static void grow_heads(struct hd_blocks_store *store) {
    uint32_t size = (store->head_mask + 1) * 2;
    uint64_t *old = store->heads;
    uint32_t old_size = store->head_mask + 1;
    uint64_t *heads = hd_arena_array(store->arena, size, sizeof *heads);
    for (uint32_t i = 0; i < old_size; i++) {
        if (!old[i]) continue;
        uint32_t at = (uint32_t)(old[i] >> 32) & (size - 1);
        while (heads[at])
            at = (at + 1) & (size - 1);
        heads[at] = old[i];
    }
    store->heads = heads;
    store->head_mask = size - 1;
    hd_arena_grow(store->arena, old, old_size, 0, sizeof *old);
}

void hd_blocks_store_fetch(const struct hd_blocks_store *store, uint32_t hash) {
    uint64_t head = store->heads[hash & store->head_mask];
    if (head && (uint32_t)(head >> 32) == hash) {
        __builtin_prefetch(hd_blocks_get(store, (uint32_t)head - 1));
    }
}

static uint32_t new_block(struct hd_blocks_store *store,
                          const struct hd_blocks_block *block) {
    uint32_t id = store->block_count++;
    uint32_t piece = id >> HD_BLOCKS_PIECE_BITS;
    if ((id & (HD_BLOCKS_PIECE - 1)) == 0) {
        HD_ARENA_FIT(store->arena, store->pieces, store->piece_room, piece);
        uintptr_t place = (uintptr_t)hd_arena_get(
            store->arena, HD_BLOCKS_PIECE * sizeof **store->pieces + 63);
        store->pieces[piece] = (struct hd_blocks_block *)((place + 63) & ~(uintptr_t)63);
    }
    struct hd_blocks_block *fresh = hd_blocks_get(store, id);
    *fresh = *block;
    fresh->last = HD_BLOCKS_NONE;
    fresh->found = 0;
    return id;
}

void hd_blocks_store_put(struct hd_blocks_store *store,
                         const struct hd_blocks_block *block, uint32_t hash,
                         const struct hd_blocks_event *first,
                         const struct hd_blocks_event *second, uint32_t period,
                         uint32_t txn) {
    uint32_t at = hash & store->head_mask;
    while (store->heads[at] &&
           ((uint32_t)(store->heads[at] >> 32) != hash ||
            !alike(hd_blocks_get(store, (uint32_t)store->heads[at] - 1), block))) {
        at = (at + 1) & store->head_mask;
    }
    uint32_t head = (uint32_t)store->heads[at];
    unsigned variants = 0;
    for (uint32_t id = head ? head - 1 : HD_BLOCKS_NONE; id != HD_BLOCKS_NONE;) {
        struct hd_blocks_block *known = hd_blocks_get(store, id);
        /* A thread's periods come in order, so the latest sighting tells whether
         * this period is known. */
        if (same(known, block)) {
            if (known->period != period)
                add_sight(store, known, first, second, period, txn);
            return;
        }
        if (known->period == period && covers(store, known, block)) return;
        variants++;
        id = known->next_like;
    }
    if (store->block_count >= BLOCKS_MAX || variants >= VARIANTS_MAX) {
        store->dropped++;
        return;
    }
    uint32_t id = new_block(store, block);
    struct hd_blocks_block *fresh = hd_blocks_get(store, id);
    fresh->next_like = head ? head - 1 : HD_BLOCKS_NONE;
    store->heads[at] = (uint64_t)hash << 32 | (id + 1);
    add_sight(store, fresh, first, second, period, txn);
    if (!head && ++store->head_used * 2 > store->head_mask) grow_heads(store);
}

/* ---- groups ------------------------------------------------------------ */

struct pairs {
    uint32_t *slots; /* group + 1 */
    uint32_t mask;
};

static uint32_t pair_hash(uint32_t low, uint32_t high) {
    return (uint32_t)(mix(0, (uint64_t)low << 32 | high) >> 24);
}

static void order(const struct hd_blocks_block *block, uint32_t var[2]) {
    bool turned = block->var[0] > block->var[1];
    var[0] = block->var[turned];
    var[1] = block->var[!turned];
}

static void grow_pairs(const struct hd_blocks_store *store, struct pairs *pairs) {
    uint32_t size = (pairs->mask + 1) * 2;
    pairs->slots = hd_arena_grow(store->arena, pairs->slots, pairs->mask + 1, size,
                                 sizeof *pairs->slots);
    memset(pairs->slots, 0, size * sizeof *pairs->slots);
    pairs->mask = size - 1;
    for (uint32_t g = 0; g < store->group_count; g++) {
        const struct hd_blocks_group *group = &store->groups[g];
        uint32_t at = pair_hash(group->var[0], group->var[1]) & pairs->mask;
        while (pairs->slots[at])
            at = (at + 1) & pairs->mask;
        pairs->slots[at] = g + 1;
    }
}

static uint32_t group_of(struct hd_blocks_store *store, struct pairs *pairs,
                         const struct hd_blocks_block *block) {
    uint32_t var[2];
    order(block, var);
    if (store->group_count * 2 > pairs->mask) grow_pairs(store, pairs);
    uint32_t at = pair_hash(var[0], var[1]) & pairs->mask;
    for (; pairs->slots[at]; at = (at + 1) & pairs->mask) {
        const struct hd_blocks_group *group = &store->groups[pairs->slots[at] - 1];
        if (group->var[0] == var[0] && group->var[1] == var[1])
            return pairs->slots[at] - 1;
    }
    HD_ARENA_FIT(store->arena, store->groups, store->group_room, store->group_count);
    store->groups[store->group_count] =
        (struct hd_blocks_group){.var = {var[0], var[1]}, .thread = block->thread};
    pairs->slots[at] = ++store->group_count;
    return store->group_count - 1;
}

#define AHEAD 8 /* blocks whose place among the pairs is fetched in advance */

void hd_blocks_store_group(struct hd_blocks_store *store) {
    struct hd_arena *arena = store->arena;
    uint32_t count = store->block_count;
    store->group_count = 0;
    store->grouped = hd_arena_grow(arena, store->grouped, store->grouped_count, 0,
                                   sizeof *store->grouped);
    struct pairs pairs = {.mask = 1023};
    pairs.slots = hd_arena_array(arena, pairs.mask + 1, sizeof *pairs.slots);
    uint32_t *group_by_block = hd_arena_array(arena, count, sizeof *group_by_block);
    for (uint32_t id = 0; id < count; id++) {
        if (id + AHEAD < count) {
            uint32_t var[2];
            order(hd_blocks_get(store, id + AHEAD), var);
            __builtin_prefetch(&pairs.slots[pair_hash(var[0], var[1]) & pairs.mask]);
        }
        const struct hd_blocks_block *block = hd_blocks_get(store, id);
        uint32_t g = group_by_block[id] = group_of(store, &pairs, block);
        store->groups[g].count++;
        if (store->groups[g].thread != block->thread)
            store->groups[g].thread = HD_BLOCKS_NONE;
    }
    uint32_t next = 0;
    for (uint32_t g = 0; g < store->group_count; g++) {
        store->groups[g].first = next;
        next += store->groups[g].count;
        store->groups[g].count = 0;
    }
    store->grouped = hd_arena_array(arena, count, sizeof *store->grouped);
    store->grouped_count = count;
    for (uint32_t id = 0; id < count; id++) {
        struct hd_blocks_group *group = &store->groups[group_by_block[id]];
        store->grouped[group->first + group->count++] = id;
    }
    hd_arena_grow(arena, group_by_block, count, 0, sizeof *group_by_block);
    hd_arena_grow(arena, pairs.slots, pairs.mask + 1, 0, sizeof *pairs.slots);
}

/* ---- regions of which enough is known ----------------------------------- */

void hd_blocks_sated_see(struct hd_blocks_sated *sated, uint32_t region) {
    if (region < sated->room && sated->variants[region]) return;
    HD_ARENA_FIT(sated->arena, sated->variants, sated->room, region);
    sated->variants[region] = HD_BLOCKS_SEEN;
    sated->seen++;
}

void hd_blocks_sated_add(struct hd_blocks_sated *sated, uint32_t region) {
    if (region >= sated->room || hd_blocks_sated_is(sated, region)) return;
    sated->variants[region]++;
    sated->full += hd_blocks_sated_is(sated, region);
}

bool hd_blocks_sated_is(const struct hd_blocks_sated *sated, uint32_t region) {
    return region < sated->room &&
           (sated->variants[region] & (HD_BLOCKS_SEEN - 1)) >= HD_WARNING_VARIANTS;
}

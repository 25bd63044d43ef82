/* blocks_store.c - interning of blocks.
 *
 * One probe finds the chain of blocks alike (same variables, operations, region,
 * thread); a chain holds the variants that differ in locks, and is short: lock
 * disciplines have few exceptions. */
#include "blocks_store.h"

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
    store->pair_mask = 1023;
    store->pairs = hd_arena_array(arena, store->pair_mask + 1, sizeof *store->pairs);
}

static uint64_t mix(uint64_t h, uint64_t value) {
    h = (h ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

uint64_t hd_blocks_store_touch(const struct hd_blocks_store *store,
                               const struct hd_blocks_block *block) {
    uint64_t h = mix(0, (uint64_t)block->var[0] << 32 | block->var[1]);
    h = mix(h, (uint64_t)block->region << 32 | (uint32_t)block->thread << 16 |
                   (uint32_t)block->op[0] << 10 | (uint32_t)block->op[1] << 8 | block->flags);
    __builtin_prefetch(&store->heads[h & store->head_mask]);
    return h;
}

static bool alike(const struct hd_blocks_block *a, const struct hd_blocks_block *b) {
    return a->var[0] == b->var[0] && a->var[1] == b->var[1] && a->region == b->region &&
           a->thread == b->thread && a->op[0] == b->op[0] && a->op[1] == b->op[1] &&
           a->flags == b->flags;
}

static bool same(const struct hd_blocks_block *a, const struct hd_blocks_block *b) {
    return a->held[0] == b->held[0] && a->held[1] == b->held[1] && a->held12 == b->held12 &&
           a->mid == b->mid && a->gap == b->gap && a->shape == b->shape &&
           a->at[0] == b->at[0] && a->at[1] == b->at[1];
}

static bool within(struct hd_locksets *sets, uint32_t a, uint32_t b) {
    return a == b || a == HD_LOCKSET_EMPTY || hd_lockset_subset(sets, a, b);
}

/* `a` can do all that `b` can. Gaps and shapes are not compared: then only equal
 * blocks are merged. */
static bool covers(const struct hd_blocks_store *store, const struct hd_blocks_block *a,
                   const struct hd_blocks_block *b) {
    return a->gap == b->gap && a->shape == HD_BLOCKS_NONE && b->shape == HD_BLOCKS_NONE &&
           within(store->sets, a->held12, b->held12) &&
           within(store->sets, a->held[0], b->held[0]) &&
           within(store->sets, a->held[1], b->held[1]) && within(store->sets, a->mid, b->mid);
}

static void add_sight(struct hd_blocks_store *store, struct hd_blocks_block *block,
                      const struct hd_blocks_sight *sight) {
    HD_ARENA_FIT(store->arena, store->sights, store->sight_room, store->sight_count);
    uint32_t id = store->sight_count++;
    store->sights[id] = *sight;
    store->sights[id].next = HD_BLOCKS_NONE;
    if (block->first == HD_BLOCKS_NONE) {
        block->first = id;
    } else {
        store->sights[block->last].next = id;
    }
    block->last = id;
}

static uint64_t pair_hash(const uint32_t var[2]) {
    return mix(0, (uint64_t)var[0] << 32 | var[1]);
}

static void grow_pairs(struct hd_blocks_store *store) {
    uint32_t size = (store->pair_mask + 1) * 2;
    store->pairs = hd_arena_grow(store->arena, store->pairs, store->pair_mask + 1, size,
                                 sizeof *store->pairs);
    memset(store->pairs, 0, size * sizeof *store->pairs);
    store->pair_mask = size - 1;
    for (uint32_t g = 0; g < store->group_count; g++) {
        uint32_t at = pair_hash(store->groups[g].var) & store->pair_mask;
        while (store->pairs[at]) at = (at + 1) & store->pair_mask;
        store->pairs[at] = g + 1;
    }
}

static struct hd_blocks_group *group_of(struct hd_blocks_store *store,
                                        const struct hd_blocks_block *block) {
    uint32_t var[2] = {block->var[0], block->var[1]};
    if (var[0] > var[1]) {
        var[0] = block->var[1];
        var[1] = block->var[0];
    }
    if (store->group_count * 2 > store->pair_mask) grow_pairs(store);
    uint32_t at = pair_hash(var) & store->pair_mask;
    for (; store->pairs[at]; at = (at + 1) & store->pair_mask) {
        struct hd_blocks_group *group = &store->groups[store->pairs[at] - 1];
        if (group->var[0] == var[0] && group->var[1] == var[1]) return group;
    }
    HD_ARENA_FIT(store->arena, store->groups, store->group_room, store->group_count);
    struct hd_blocks_group *group = &store->groups[store->group_count++];
    store->pairs[at] = store->group_count;
    *group = (struct hd_blocks_group){.var = {var[0], var[1]},
                                      .first = HD_BLOCKS_NONE,
                                      .thread = block->thread};
    return group;
}

static void grow_heads(struct hd_blocks_store *store) {
    uint32_t size = (store->head_mask + 1) * 2;
    uint32_t *old = store->heads;
    uint32_t old_size = store->head_mask + 1;
    uint32_t *heads = hd_arena_array(store->arena, size, sizeof *heads);
    store->head_mask = size - 1;
    store->heads = heads;
    for (uint32_t i = 0; i < old_size; i++) {
        if (!old[i]) continue;
        uint32_t at = hd_blocks_store_touch(store, &store->blocks[old[i] - 1]) & store->head_mask;
        while (heads[at]) at = (at + 1) & store->head_mask;
        heads[at] = old[i];
    }
    hd_arena_grow(store->arena, old, old_size, 0, sizeof *old);
}

void hd_blocks_store_put(struct hd_blocks_store *store, const struct hd_blocks_block *block,
                         uint64_t hash, const struct hd_blocks_sight *sight) {
    uint32_t at = hash & store->head_mask;
    while (store->heads[at] && !alike(&store->blocks[store->heads[at] - 1], block)) {
        at = (at + 1) & store->head_mask;
    }
    uint32_t *head = &store->heads[at];
    unsigned variants = 0;
    for (uint32_t id = *head ? *head - 1 : HD_BLOCKS_NONE; id != HD_BLOCKS_NONE;
         id = store->blocks[id].next_like) {
        struct hd_blocks_block *known = &store->blocks[id];
        /* A thread's periods come in order, so the latest sighting tells whether
         * this period is known. */
        if (same(known, block)) {
            if (store->sights[known->last].period != sight->period) {
                add_sight(store, known, sight);
            }
            return;
        }
        if (store->sights[known->last].period == sight->period && covers(store, known, block)) {
            return;
        }
        variants++;
    }
    if (store->block_count >= BLOCKS_MAX ||
        (variants >= VARIANTS_MAX && block->shape == HD_BLOCKS_NONE)) {
        store->dropped++;
        return;
    }
    HD_ARENA_FIT(store->arena, store->blocks, store->block_room, store->block_count);
    uint32_t id = store->block_count++;
    struct hd_blocks_block *fresh = &store->blocks[id];
    *fresh = *block;
    fresh->first = fresh->last = HD_BLOCKS_NONE;
    fresh->next_like = *head ? *head - 1 : HD_BLOCKS_NONE;
    bool grow = !*head && ++store->head_used * 2 > store->head_mask;
    *head = id + 1;
    add_sight(store, fresh, sight);

    struct hd_blocks_group *group = group_of(store, fresh);
    fresh->next_in_group = group->first;
    group->first = id;
    group->count++;
    if (group->thread != fresh->thread) group->thread = HD_BLOCKS_NONE;
    if (grow) grow_heads(store);
}

/* blocks_known.c - see blocks_known.h. */
#include "checkers/blocks_known.h"

#include <string.h>

#define SLOTS 4096

struct hd_blocks_known_slot {
    struct hd_blocks_key *keys;
    uint32_t count, room;
};

void hd_blocks_known_init(struct hd_blocks_known *known, struct hd_arena *arena) {
    known->arena = arena;
    known->slots = hd_arena_array(arena, SLOTS, sizeof *known->slots);
}

static uint32_t slot_of(const struct hd_blocks_key *keys, uint32_t count) {
    uint64_t hash = count;
    for (uint32_t i = 0; i < count; i++) {
        hash = (hash ^ keys[i].obj ^ (uint64_t)keys[i].held << 32) * UINT64_C(0x9e3779b97f4a7c15);
        hash = (hash ^ hash >> 29) + keys[i].aux + ((uint64_t)keys[i].thread << 40) + keys[i].kind;
    }
    hash *= UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(hash >> 40) % SLOTS;
}

bool hd_blocks_known_is(const struct hd_blocks_known *known, const struct hd_blocks_key *keys,
                        uint32_t count, uint32_t *slot) {
    const struct hd_blocks_known_slot *at = &known->slots[*slot = slot_of(keys, count)];
    return at->count == count && memcmp(at->keys, keys, count * sizeof *keys) == 0;
}

void hd_blocks_known_add(struct hd_blocks_known *known, const struct hd_blocks_key *keys,
                         uint32_t count, uint32_t slot) {
    struct hd_blocks_known_slot *at = &known->slots[slot];
    if (at->room < count) {
        while (at->room < count) at->room = at->room ? at->room * 2 : 8;
        at->keys = hd_arena_array(known->arena, at->room, sizeof *keys);
    }
    memcpy(at->keys, keys, count * sizeof *keys);
    at->count = count;
}

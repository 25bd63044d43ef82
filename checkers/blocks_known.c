/* blocks_known.c - see blocks_known.h. */
#include "checkers/blocks_known.h"

#include <string.h>

#define SLOTS 4096

struct hd_blocks_known_slot {
    uint64_t hash;
    struct hd_blocks_key *keys;
    uint32_t count, room;
};

void hd_blocks_known_init(struct hd_blocks_known *known, struct hd_arena *arena) {
    known->arena = arena;
    known->slots = hd_arena_array(arena, SLOTS, sizeof *known->slots);
}

static struct hd_blocks_known_slot *slot_of(const struct hd_blocks_known *known,
                                            const struct hd_blocks_keys *keys) {
    return &known->slots[keys->hash >> 40 & (SLOTS - 1)];
}

bool hd_blocks_known_is(const struct hd_blocks_known *known, const struct hd_blocks_keys *keys) {
    const struct hd_blocks_known_slot *at = slot_of(known, keys);
    return at->hash == keys->hash && at->count == keys->count &&
           memcmp(at->keys, keys->all, keys->count * sizeof *at->keys) == 0;
}

void hd_blocks_known_add(struct hd_blocks_known *known, const struct hd_blocks_keys *keys) {
    struct hd_blocks_known_slot *at = slot_of(known, keys);
    if (at->room < keys->count) {
        while (at->room < keys->count) at->room = at->room ? at->room * 2 : 8;
        at->keys = hd_arena_array(known->arena, at->room, sizeof *at->keys);
    }
    memcpy(at->keys, keys->all, keys->count * sizeof *at->keys);
    at->count = keys->count;
    at->hash = keys->hash;
}

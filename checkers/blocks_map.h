/* blocks_map.h - a table from numbers to numbers that is emptied for nothing.
 *
 * A transaction touches a few of many variables and there are many
 * transactions: clearing a table each time would cost more than filling it, and
 * a table per thread and variable would not fit. Entries carry the stamp of the
 * transaction that made them; older ones count as empty. */
#ifndef HD_BLOCKS_MAP_H
#define HD_BLOCKS_MAP_H

#include "checkers/arena.h"

#include <string.h>

struct hd_blocks_map_slot {
    uint32_t stamp, key, value;
};

struct hd_blocks_map {
    struct hd_blocks_map_slot *slots;
    uint32_t mask, used, stamp;
};

static inline void hd_blocks_map_clear(struct hd_blocks_map *map) {
    map->used = 0;
    if (++map->stamp == 0) { /* came around: stamps of long ago would count again */
        if (map->slots) memset(map->slots, 0, (map->mask + 1) * sizeof *map->slots);
        map->stamp = 1;
    }
}

static inline struct hd_blocks_map_slot *
hd_blocks_map_probe(const struct hd_blocks_map *map, uint32_t key) {
    uint32_t at = (key * UINT32_C(0x9e3779b1)) >> 7 & map->mask;
    while (map->slots[at].stamp == map->stamp && map->slots[at].key != key) {
        at = (at + 1) & map->mask;
    }
    return &map->slots[at];
}

/* The value of `key`, set to `fresh` if it was not there. */
static inline uint32_t *hd_blocks_map_get(struct hd_arena *arena,
                                          struct hd_blocks_map *map, uint32_t key,
                                          uint32_t fresh) {
    if (!map->slots || map->used * 2 > map->mask) {
        struct hd_blocks_map old = *map;
        map->mask = old.slots ? old.mask * 2 + 1 : 63;
        map->slots = hd_arena_array(arena, map->mask + 1, sizeof *map->slots);
        if (!map->stamp) map->stamp = 1;
        for (uint32_t i = 0; old.slots && i <= old.mask; i++) {
            if (old.slots[i].stamp != old.stamp) continue;
            *hd_blocks_map_probe(map, old.slots[i].key) = old.slots[i];
        }
        if (old.slots)
            hd_arena_grow(arena, old.slots, old.mask + 1, 0, sizeof *old.slots);
    }
    struct hd_blocks_map_slot *slot = hd_blocks_map_probe(map, key);
    if (slot->stamp != map->stamp) {
        *slot = (struct hd_blocks_map_slot){map->stamp, key, fresh};
        map->used++;
    }
    return &slot->value;
}

#endif

/* blocks_gap.c - families of minimal lock sets, each kept once. */
#include "blocks_gap.h"

#include <string.h>

void hd_blocks_gaps_init(struct hd_blocks_gaps *gaps, struct hd_arena *arena,
                         struct hd_locksets *sets) {
    memset(gaps, 0, sizeof *gaps);
    gaps->arena = arena;
    gaps->sets = sets;
    HD_ARENA_FIT(arena, gaps->starts, gaps->start_room, 2);
    gaps->count = 1; /* family 0 is empty: no gap known */
}

/* Puts `held` into the antichain at the end of `members`. */
static uint32_t add_minimal(struct hd_blocks_gaps *gaps, uint32_t count, uint32_t held) {
    uint32_t *at = gaps->members + gaps->member_count;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (hd_lockset_subset(gaps->sets, at[i], held)) return count;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!hd_lockset_subset(gaps->sets, held, at[i])) at[kept++] = at[i];
    }
    /* Ascending ids, so that equal families look the same. */
    uint32_t place = kept;
    while (place > 0 && at[place - 1] > held) {
        at[place] = at[place - 1];
        place--;
    }
    at[place] = held;
    return kept + 1;
}

uint32_t hd_blocks_gap_of(struct hd_blocks_gaps *gaps, const uint32_t *held,
                          uint32_t count) {
    HD_ARENA_FIT(gaps->arena, gaps->members, gaps->member_room,
                 gaps->member_count + count);
    uint32_t size = 0;
    for (uint32_t i = 0; i < count; i++)
        size = add_minimal(gaps, size, held[i]);
    const uint32_t *fresh = gaps->members + gaps->member_count;
    for (uint32_t g = 1; g < gaps->count; g++) {
        uint32_t length = gaps->starts[g + 1] - gaps->starts[g];
        if (length == size &&
            !memcmp(gaps->members + gaps->starts[g], fresh, size * sizeof *fresh)) {
            return g;
        }
    }
    gaps->member_count += size;
    gaps->count++;
    HD_ARENA_FIT(gaps->arena, gaps->starts, gaps->start_room, gaps->count);
    gaps->starts[gaps->count] = gaps->member_count;
    return gaps->count - 1;
}

bool hd_blocks_gap_lets(struct hd_blocks_gaps *gaps, uint32_t gap, const uint32_t *held,
                        uint32_t count) {
    for (uint32_t i = gaps->starts[gap]; i < gaps->starts[gap + 1]; i++) {
        bool fits = true;
        for (uint32_t k = 0; k < count && fits; k++) {
            fits = !hd_lockset_exclude(gaps->sets, gaps->members[i], held[k]);
        }
        if (fits) return true;
    }
    return false;
}

/* reduction_shape.c - each distinct string once; the match.
 *
 * After Wang and Stoller, section 5, theorems 1 and 2, read with at most one
 * non-mover. Theorem 2 deletes an acquire, its release and what is between if
 * that is nothing but accesses to read-only or thread-local variables; here also
 * if it is regions already deleted. Departure: not if the lock is ever held across
 * the boundary of a transaction, for then even an empty region of it waits for
 * somebody else's transactions. */
#include "checkers/reduction_shape.h"

void hd_reduction_shapes_init(struct hd_reduction_shapes *s, struct hd_arena *arena) {
    memset(s, 0, sizeof *s);
    s->arena = arena;
    s->mask = 4095;
    s->table = hd_arena_array(arena, s->mask + 1, sizeof *s->table);
}

static uint64_t hash_of(const struct hd_reduction_shape *shape) {
    uint64_t h = (uint64_t)shape->region << 32 | shape->count;
    for (uint32_t i = 0; i < shape->count; i++) {
        h = (h ^ shape->tokens[i]) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 29;
    }
    return h ^ h >> 32;
}

bool hd_reduction_shape_is_known(const struct hd_reduction_shapes *s,
                                 const struct hd_reduction_shape *shape, uint32_t *slot) {
    uint32_t at = (uint32_t)hash_of(shape) & s->mask;
    for (; s->table[at]; at = (at + 1) & s->mask) {
        const struct hd_reduction_shape *known = &s->shapes[s->table[at] - 1];
        if (known->region == shape->region && known->count == shape->count &&
            !memcmp(known->tokens, shape->tokens, shape->count * sizeof *shape->tokens)) {
            return true;
        }
    }
    *slot = at;
    return false;
}

static void *copy(struct hd_arena *arena, const void *from, size_t count, size_t size) {
    return memcpy(hd_arena_array(arena, count, size), from, count * size);
}

void hd_reduction_shape_keep(struct hd_reduction_shapes *s,
                             const struct hd_reduction_shape *shape, uint32_t slot) {
    HD_ARENA_FIT(s->arena, s->shapes, s->room, s->count);
    struct hd_reduction_shape *fresh = &s->shapes[s->count];
    *fresh = *shape;
    fresh->tokens = copy(s->arena, shape->tokens, shape->count, sizeof *fresh->tokens);
    fresh->samples = copy(s->arena, shape->samples, shape->count, sizeof *fresh->samples);
    s->table[slot] = ++s->count;
    if (s->count * 2 <= s->mask) return;
    uint32_t size = (s->mask + 1) * 2;
    s->table = hd_arena_grow(s->arena, s->table, s->mask + 1, size, sizeof *s->table);
    memset(s->table, 0, size * sizeof *s->table);
    s->mask = size - 1;
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t at = (uint32_t)hash_of(&s->shapes[i]) & s->mask;
        while (s->table[at])
            at = (at + 1) & s->mask;
        s->table[at] = i + 1;
    }
}

/* ---- the match --------------------------------------------------------- */

/* Regions that are open: where they begin, and whether something in them keeps
 * them from being deleted (the top bit). */
#define IMPURE 0x80000000u

static void spoil(struct hd_reduction_scratch *scratch, uint32_t depth) {
    if (depth) scratch->open[depth - 1] |= IMPURE;
}

static uint32_t lock_at(const struct hd_reduction_shape *shape, uint32_t place) {
    return HD_REDUCTION_OBJ(shape->tokens[place & ~IMPURE]);
}

/* A release: deletes its region if it may, and tells the new depth. */
static uint32_t close_region(const struct hd_reduction_shape *shape, uint32_t place,
                             uint32_t lock, struct hd_reduction_scratch *scratch,
                             uint32_t depth) {
    uint32_t top = depth;
    while (top > 0 && lock_at(shape, scratch->open[top - 1]) != lock)
        top--;
    if (top == 0) { /* taken before the transaction began */
        spoil(scratch, depth);
        return depth;
    }
    uint32_t region = scratch->open[top - 1];
    if (top == depth && !(region & IMPURE)) {
        for (uint32_t i = region & ~IMPURE; i <= place; i++)
            scratch->classes[i] = 'b';
        return depth - 1;
    }
    /* Not the innermost: neither it nor those inside can go. */
    for (uint32_t i = top; i < depth; i++) {
        scratch->open[i - 1] = scratch->open[i] | IMPURE;
    }
    spoil(scratch, depth - 1);
    return depth - 1;
}

void hd_reduction_classify(const struct hd_reduction_classes *classes,
                           const struct hd_reduction_shape *shape, bool theorem2,
                           struct hd_arena *arena, struct hd_reduction_scratch *scratch) {
    uint32_t depth = 0;
    HD_ARENA_FIT(arena, scratch->classes, scratch->class_room, shape->count);
    HD_ARENA_FIT(arena, scratch->open, scratch->open_room, shape->count);
    for (uint32_t i = 0; i < shape->count; i++) {
        unsigned what = HD_REDUCTION_WHAT(shape->tokens[i]);
        uint32_t obj = HD_REDUCTION_OBJ(shape->tokens[i]);
        if (what >= HD_REDUCTION_ACCESS) {
            bool alone = hd_reduction_var_alone(classes, obj);
            bool moves = alone || (what == HD_REDUCTION_ACCESS &&
                                   !hd_reduction_var_racy(classes, obj));
            scratch->classes[i] = moves ? 'B' : 'N';
            if (!alone) spoil(scratch, depth);
            continue;
        }
        bool moves = hd_reduction_lock_moves(classes, obj);
        bool release = what == HD_REDUCTION_RELEASE;
        scratch->classes[i] = moves ? 'B' : release ? 'L' : 'R';
        if (moves || !theorem2) continue;
        if (classes->locks[obj].crosses) {
            spoil(scratch, depth);
        } else if (release) {
            depth = close_region(shape, i, obj, scratch, depth);
        } else {
            scratch->open[depth++] = i;
        }
    }
}

bool hd_reduction_matches(const struct hd_reduction_shape *shape,
                          const struct hd_reduction_scratch *scratch,
                          struct hd_reduction_breach *breach) {
    bool committed = false;
    for (uint32_t i = 0; i < shape->count; i++) {
        char class = scratch->classes[i];
        if (class == 'B' || class == 'b') continue;
        if (!committed && class != 'R') {
            committed = true;
            breach->commit = i;
            breach->commit_class = class;
        } else if (committed && class != 'L') {
            breach->offender = i;
            breach->offender_class = class;
            return false;
        }
    }
    return true;
}

void hd_reduction_print(const struct hd_reduction_shape *shape,
                        const struct hd_reduction_scratch *scratch, char *buffer,
                        size_t size) {
    size_t used = 0;
    for (uint32_t i = 0; i < shape->count && used + 1 < size; i++) {
        buffer[used++] = scratch->classes[i] == 'b' ? 'B' : scratch->classes[i];
    }
    if (size) buffer[used] = '\0';
}

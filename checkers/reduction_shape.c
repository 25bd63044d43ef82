/* reduction_shape.c - interning of tokens and strings; the match.
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
    s->token_mask = s->shape_mask = 4095;
    s->token_table = hd_arena_array(arena, s->token_mask + 1, sizeof *s->token_table);
    s->shape_table = hd_arena_array(arena, s->shape_mask + 1, sizeof *s->shape_table);
}

static uint64_t mix(uint64_t h, uint64_t value) {
    h = (h ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

/* ---- tokens ------------------------------------------------------------ */

static uint64_t hash_token(const struct hd_reduction_token *t) {
    uint64_t h = mix(0, (uint64_t)t->obj << 32 | t->site);
    return mix(h, (uint64_t)t->held << 32 ^ (uint64_t)t->function << 12 ^
                      (uint32_t)t->what << 10 ^ (uint32_t)t->kind << 2 ^ t->inner);
}

static bool same_token(const struct hd_reduction_token *a, const struct hd_reduction_token *b) {
    return a->obj == b->obj && a->site == b->site && a->held == b->held &&
           a->function == b->function && a->what == b->what && a->kind == b->kind &&
           a->inner == b->inner;
}

uint32_t hd_reduction_token_of(struct hd_reduction_shapes *s,
                               const struct hd_reduction_token *token) {
    uint32_t at = (uint32_t)hash_token(token) & s->token_mask;
    for (; s->token_table[at]; at = (at + 1) & s->token_mask) {
        if (same_token(&s->tokens[s->token_table[at] - 1], token)) return s->token_table[at] - 1;
    }
    HD_ARENA_FIT(s->arena, s->tokens, s->token_room, s->token_count);
    s->tokens[s->token_count] = *token;
    s->token_table[at] = ++s->token_count;
    uint32_t id = s->token_count - 1;
    if (s->token_count * 2 > s->token_mask) {
        uint32_t size = (s->token_mask + 1) * 2;
        s->token_table = hd_arena_grow(s->arena, s->token_table, s->token_mask + 1, size,
                                       sizeof *s->token_table);
        memset(s->token_table, 0, size * sizeof *s->token_table);
        s->token_mask = size - 1;
        for (uint32_t i = 0; i < s->token_count; i++) {
            at = (uint32_t)hash_token(&s->tokens[i]) & s->token_mask;
            while (s->token_table[at]) at = (at + 1) & s->token_mask;
            s->token_table[at] = i + 1;
        }
    }
    return id;
}

/* ---- strings ----------------------------------------------------------- */

static uint64_t hash_shape(const struct hd_reduction_shape *shape) {
    uint64_t h = mix(shape->region, shape->count);
    for (uint32_t i = 0; i < shape->count; i++) h = mix(h, shape->tokens[i]);
    return h ^ h >> 32;
}

bool hd_reduction_shape_is_known(struct hd_reduction_shapes *s,
                                 const struct hd_reduction_shape *shape, uint32_t *slot) {
    uint32_t at = (uint32_t)hash_shape(shape) & s->shape_mask;
    for (; s->shape_table[at]; at = (at + 1) & s->shape_mask) {
        const struct hd_reduction_shape *known = &s->shapes[s->shape_table[at] - 1];
        if (known->region == shape->region && known->count == shape->count &&
            !memcmp(known->tokens, shape->tokens, shape->count * sizeof *shape->tokens)) {
            return true;
        }
    }
    *slot = at;
    return false;
}

void hd_reduction_shape_keep(struct hd_reduction_shapes *s,
                             const struct hd_reduction_shape *shape, uint32_t slot) {
    HD_ARENA_FIT(s->arena, s->shapes, s->shape_room, s->shape_count);
    struct hd_reduction_shape *fresh = &s->shapes[s->shape_count];
    *fresh = *shape;
    fresh->tokens = hd_arena_array(s->arena, (size_t)shape->count * 2, sizeof *fresh->tokens);
    memcpy(fresh->tokens, shape->tokens, (size_t)shape->count * 2 * sizeof *fresh->tokens);
    s->shape_table[slot] = ++s->shape_count;
    if (s->shape_count * 2 <= s->shape_mask) return;
    uint32_t size = (s->shape_mask + 1) * 2;
    s->shape_table = hd_arena_grow(s->arena, s->shape_table, s->shape_mask + 1, size,
                                   sizeof *s->shape_table);
    memset(s->shape_table, 0, size * sizeof *s->shape_table);
    s->shape_mask = size - 1;
    for (uint32_t i = 0; i < s->shape_count; i++) {
        uint32_t at = (uint32_t)hash_shape(&s->shapes[i]) & s->shape_mask;
        while (s->shape_table[at]) at = (at + 1) & s->shape_mask;
        s->shape_table[at] = i + 1;
    }
}

/* ---- the match --------------------------------------------------------- */

/* Regions that are open: where they begin, and whether something in them keeps
 * them from being deleted (the top bit). */
#define IMPURE 0x80000000u

static void spoil(struct hd_reduction_scratch *scratch, uint32_t depth) {
    if (depth) scratch->open[depth - 1] |= IMPURE;
}

static uint32_t lock_at(const struct hd_reduction_shapes *s,
                        const struct hd_reduction_shape *shape, uint32_t place) {
    return s->tokens[shape->tokens[place & ~IMPURE]].obj;
}

/* A release: deletes its region if it may, and tells the new depth. */
static uint32_t close_region(const struct hd_reduction_shapes *s,
                             const struct hd_reduction_shape *shape, uint32_t place,
                             uint32_t lock, struct hd_reduction_scratch *scratch,
                             uint32_t depth) {
    uint32_t top = depth;
    while (top > 0 && lock_at(s, shape, scratch->open[top - 1]) != lock) top--;
    if (top == 0) { /* taken before the transaction began */
        spoil(scratch, depth);
        return depth;
    }
    uint32_t region = scratch->open[top - 1];
    if (top == depth && !(region & IMPURE)) {
        for (uint32_t i = region & ~IMPURE; i <= place; i++) scratch->classes[i] = 'b';
        return depth - 1;
    }
    /* Not the innermost: neither it nor those inside can go. */
    for (uint32_t i = top; i < depth; i++) {
        scratch->open[i - 1] = scratch->open[i] | IMPURE;
    }
    spoil(scratch, depth - 1);
    return depth - 1;
}

void hd_reduction_classify(const struct hd_reduction_shapes *s,
                           const struct hd_reduction_classes *classes,
                           const struct hd_reduction_shape *shape, bool theorem2,
                           struct hd_arena *arena, struct hd_reduction_scratch *scratch) {
    uint32_t depth = 0;
    HD_ARENA_FIT(arena, scratch->classes, scratch->class_room, shape->count);
    HD_ARENA_FIT(arena, scratch->open, scratch->open_room, shape->count);
    for (uint32_t i = 0; i < shape->count; i++) {
        const struct hd_reduction_token *t = &s->tokens[shape->tokens[i]];
        if (t->what == HD_REDUCTION_ACCESS) {
            bool alone = hd_reduction_var_alone(classes, t->obj);
            bool moves = alone || !(t->atomic || hd_reduction_var_racy(classes, t->obj));
            scratch->classes[i] = moves ? 'B' : 'N';
            if (!alone) spoil(scratch, depth);
            continue;
        }
        bool moves = hd_reduction_lock_moves(classes, t->obj);
        bool release = t->what == HD_REDUCTION_RELEASE;
        scratch->classes[i] = moves ? 'B' : release ? 'L' : 'R';
        if (moves || !theorem2) continue;
        if (classes->locks[t->obj].crosses) {
            spoil(scratch, depth);
        } else if (release) {
            depth = close_region(s, shape, i, t->obj, scratch, depth);
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
                        const struct hd_reduction_scratch *scratch, char *buffer, size_t size) {
    size_t used = 0;
    for (uint32_t i = 0; i < shape->count && used + 1 < size; i++) {
        buffer[used++] = scratch->classes[i] == 'b' ? 'B' : scratch->classes[i];
    }
    if (size) buffer[used] = '\0';
}

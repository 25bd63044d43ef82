/* blocks_segment.c - the lock operations of a transaction, and the stretches
 * between them.
 *
 * Segment 0 starts with the transaction; each lock operation that is not
 * reentrant starts the next. Locks held when the transaction begins count as
 * taken just before it. Also kept here: sequences of lock operations as shapes,
 * each once, for the tests that look at whole transactions. */
#include "checkers/blocks_build.h"

#include <string.h>

static void push(struct hd_blocks_builder *b, struct hd_arena *arena, uint32_t element,
                 uint32_t from) {
    HD_ARENA_FIT(arena, b->holds, b->hold_room, b->hold_count);
    HD_ARENA_FIT(arena, b->stack, b->stack_room, b->stack_count);
    b->stack[b->stack_count++] = b->hold_count;
    b->holds[b->hold_count++] = (struct hd_blocks_hold){element, from, UINT32_MAX};
}

static void log_op(struct hd_blocks_builder *b, struct hd_arena *arena, uint32_t at,
                   uint32_t element, bool release) {
    HD_ARENA_FIT(arena, b->ops, b->op_room, at);
    b->ops[at] = (struct hd_blocks_step){.lock = HD_LOCK_OF(element),
                                         .release = release,
                                         .shared = !HD_LOCK_IS_EXCLUSIVE(element)};
}

void hd_blocks_segment_begin(struct hd_blocks_builder *b, struct hd_arena *arena,
                             const struct hd_step *step) {
    b->segment = 0;
    b->hold_count = b->stack_count = b->closed_count = 0;
    b->outer = step->holds ? step->holds->depth : 0;
    /* The chain goes from the innermost outwards; we want the oldest first. */
    uint32_t place = b->outer;
    for (const struct hd_hold *hold = step->holds; hold && place; hold = hold->below) {
        log_op(b, arena, --place, hold->element, false);
    }
    for (uint32_t i = 0; i < b->outer; i++) {
        push(b, arena,
             b->ops[i].shared ? HD_LOCK_SHARED(b->ops[i].lock)
                              : HD_LOCK_EXCLUSIVE(b->ops[i].lock),
             0);
    }
    HD_ARENA_FIT(arena, b->held, b->held_room, 0);
    b->held[0] = step->held;
}

void hd_blocks_segment_next(struct hd_blocks_builder *b, struct hd_arena *arena,
                            uint32_t element, bool release, uint32_t held) {
    b->held[b->segment] = held;
    if (release) {
        uint32_t i = b->stack_count;
        while (i > 0 &&
               HD_LOCK_OF(b->holds[b->stack[i - 1]].element) != HD_LOCK_OF(element)) {
            i--;
        }
        if (i == 0) return; /* not ours: the front end would have left it out */
        uint32_t hold = b->stack[i - 1];
        element = b->holds[hold].element;
        b->holds[hold].to = b->segment + 1;
        memmove(b->stack + i - 1, b->stack + i, (b->stack_count - i) * sizeof *b->stack);
        b->stack_count--;
        HD_ARENA_FIT(arena, b->closed, b->closed_room, b->closed_count);
        b->closed[b->closed_count++] = hold;
    }
    log_op(b, arena, b->outer + b->segment, element, release);
    b->segment++;
    if (!release) push(b, arena, element, b->segment);
    HD_ARENA_FIT(arena, b->held, b->held_room, b->segment);
}

/* What is still held is let go some time after the end: at once, for all we know. */
void hd_blocks_segment_end(struct hd_blocks_builder *b, struct hd_arena *arena) {
    b->op_count = b->outer + b->segment;
    for (uint32_t i = b->stack_count; i > 0; i--) {
        log_op(b, arena, b->op_count++, b->holds[b->stack[i - 1]].element, true);
    }
}

uint32_t hd_blocks_held_since(const struct hd_blocks_builder *b, struct hd_locksets *sets,
                              uint32_t from) {
    uint32_t held = b->held[b->segment];
    if (from == b->segment) return held;
    for (uint32_t i = b->stack_count; i > 0; i--) {
        const struct hd_blocks_hold *hold = &b->holds[b->stack[i - 1]];
        if (hold->from <= from) break; /* so are all below: taken in this order */
        held = hd_lockset_remove(sets, held, hold->element);
    }
    return held;
}

/* ---- shapes ------------------------------------------------------------ */

void hd_blocks_shapes_init(struct hd_blocks_shapes *shapes, struct hd_arena *arena) {
    memset(shapes, 0, sizeof *shapes);
    shapes->arena = arena;
    shapes->mask = 255;
    shapes->table = hd_arena_array(arena, shapes->mask + 1, sizeof *shapes->table);
}

static uint32_t hash_of(const struct hd_blocks_step *steps, uint32_t count) {
    uint64_t h = count;
    for (uint32_t i = 0; i < count; i++) {
        h = (h ^ (steps[i].lock * 4u + steps[i].release * 2u + steps[i].shared)) *
            UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 31;
    }
    return (uint32_t)h;
}

static bool equal(const struct hd_blocks_skeleton *a, const struct hd_blocks_step *steps,
                  uint32_t count) {
    if (a->count != count) return false;
    for (uint32_t i = 0; i < count; i++) {
        if (a->steps[i].lock != steps[i].lock ||
            a->steps[i].release != steps[i].release ||
            a->steps[i].shared != steps[i].shared) {
            return false;
        }
    }
    return true;
}

uint32_t hd_blocks_shape_of(struct hd_blocks_shapes *shapes,
                            const struct hd_blocks_step *steps, uint32_t count) {
    if (shapes->count * 2 > shapes->mask) {
        uint32_t size = (shapes->mask + 1) * 2;
        shapes->table = hd_arena_array(shapes->arena, size, sizeof *shapes->table);
        shapes->mask = size - 1;
        for (uint32_t i = 0; i < shapes->count; i++) {
            uint32_t at =
                hash_of(shapes->all[i].steps, shapes->all[i].count) & shapes->mask;
            while (shapes->table[at])
                at = (at + 1) & shapes->mask;
            shapes->table[at] = i + 1;
        }
    }
    uint32_t at = hash_of(steps, count) & shapes->mask;
    for (; shapes->table[at]; at = (at + 1) & shapes->mask) {
        if (equal(&shapes->all[shapes->table[at] - 1], steps, count)) {
            return shapes->table[at] - 1;
        }
    }
    struct hd_blocks_step *copy = hd_arena_array(shapes->arena, count, sizeof *copy);
    if (count) memcpy(copy, steps, count * sizeof *copy);
    HD_ARENA_FIT(shapes->arena, shapes->all, shapes->room, shapes->count);
    shapes->all[shapes->count] = (struct hd_blocks_skeleton){copy, count};
    shapes->table[at] = ++shapes->count;
    return shapes->count - 1;
}

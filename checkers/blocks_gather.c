/* blocks_gather.c - the steps of a transaction, until it is known whether it says
 * anything new (blocks_known.h).
 *
 * One that is long goes on without waiting. Whether its blocks left something out
 * that is counted (too many of them) is told by the counts: such a one is not
 * remembered, so that each like it is counted. */
#include "checkers/blocks_build.h"

#include <string.h>

#define OUTER 8 /* locks held when it begins; with more it does not wait */

struct hd_blocks_gathered {
    struct hd_blocks_gathered *next; /* of those that nobody uses */
    uint32_t step_count, key_count;
    struct hd_step steps[HD_BLOCKS_KNOWN_MOST];
    struct hd_blocks_key keys[HD_BLOCKS_KNOWN_MOST + OUTER + 1];
};

static struct hd_blocks_gathered *get(struct hd_blocks_sink *sink) {
    struct hd_blocks_gathered *self = sink->spare;
    if (!self) return hd_arena_get(sink->pass->arena, sizeof *self);
    sink->spare = self->next;
    self->step_count = self->key_count = 0;
    return self;
}

static void let_go(struct hd_blocks_builder *b, struct hd_blocks_sink *sink) {
    b->gathered->next = sink->spare;
    sink->spare = b->gathered;
    b->gathered = NULL;
}

/* Its region and period, and the locks that it begins with, one by one. */
void hd_blocks_gather_begin(struct hd_blocks_builder *b, struct hd_blocks_sink *sink,
                            const struct hd_step *step) {
    if (!sink->known || b->unary || b->outer > OUTER) return;
    struct hd_blocks_gathered *self = b->gathered = get(sink);
    self->keys[self->key_count++] = (struct hd_blocks_key){
        .obj = b->region, .aux = b->period, .held = step->held, .thread = step->thread,
        .kind = HD_STEP_OPEN, .flags = b->unary};
    for (const struct hd_hold *hold = step->holds; hold; hold = hold->below) {
        self->keys[self->key_count++] = (struct hd_blocks_key){.obj = hold->element};
    }
}

static void take_all(struct hd_blocks_builder *b, struct hd_blocks_sink *sink) {
    const struct hd_blocks_gathered *self = b->gathered;
    for (uint32_t i = 0; i < self->step_count; i++) hd_blocks_take(b, sink, &self->steps[i]);
}

void hd_blocks_gather_end(struct hd_blocks_builder *b, struct hd_blocks_sink *sink) {
    if (!b->gathered) return;
    take_all(b, sink);
    let_go(b, sink);
}

static uint64_t left_out(const struct hd_blocks_sink *sink) {
    return sink->large + sink->skipped + sink->store->dropped;
}

static void close(struct hd_blocks_builder *b, struct hd_blocks_sink *sink) {
    const struct hd_blocks_gathered *self = b->gathered;
    uint32_t slot;
    if (hd_blocks_known_is(sink->known, self->keys, self->key_count, &slot)) {
        b->open = false;
    } else {
        uint64_t before = left_out(sink);
        take_all(b, sink);
        if (left_out(sink) == before) {
            hd_blocks_known_add(sink->known, self->keys, self->key_count, slot);
        }
    }
    let_go(b, sink);
}

/* Nothing else says anything about blocks: blocks_build.c. */
static bool matters(const struct hd_step *step) {
    switch (step->kind) {
    case HD_ACQUIRE:
    case HD_RELEASE:
    case HD_WAKE:
    case HD_WAIT:
    case HD_TXBEGIN:
    case HD_TXEND:
    case HD_ESCAPE:
    case HD_STEP_CLOSE: return true;
    default: return hd_kind_is_access(step->kind);
    }
}

bool hd_blocks_gather(struct hd_blocks_builder *b, struct hd_blocks_sink *sink,
                      const struct hd_step *step) {
    struct hd_blocks_gathered *self = b->gathered;
    if (!self) return false;
    if (!matters(step)) return true;
    if (self->step_count == HD_BLOCKS_KNOWN_MOST) {
        hd_blocks_gather_end(b, sink);
        return false;
    }
    self->steps[self->step_count++] = *step;
    self->keys[self->key_count++] = (struct hd_blocks_key){
        .obj = step->obj, .aux = step->aux, .held = step->held, .thread = step->thread,
        .kind = step->kind, .flags = step->flags, .marks = step->marks};
    if (step->kind == HD_STEP_CLOSE) close(b, sink);
    return true;
}

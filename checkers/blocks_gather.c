/* blocks_gather.c - the steps of a transaction, until it is known whether it says
 * anything new (blocks_known.h).
 *
 * One that is long goes on without waiting. Whether its blocks left something out
 * that is counted (too many of them) is told by the counts: such a one is not
 * remembered, so that each like it is counted. */
#include "checkers/blocks_build.h"

#include <string.h>

struct hd_blocks_gathered {
    struct hd_blocks_gathered *next, **link; /* of those in the batch, or that nobody uses */
    uint32_t count, kept;
    const struct hd_step *steps[HD_BLOCKS_KNOWN_MOST]; /* where they are: in the batch, ... */
    struct hd_step own[HD_BLOCKS_KNOWN_MOST];          /* ... or, the first `kept`, here */
    struct hd_blocks_keys keys;
};

static struct hd_blocks_gathered *get(struct hd_blocks_sink *sink) {
    struct hd_blocks_gathered *self = sink->spare;
    if (self) {
        sink->spare = self->next;
    } else {
        self = hd_arena_get(sink->pass->arena, sizeof *self);
    }
    self->count = self->kept = self->keys.count = 0;
    self->keys.hash = 0;
    return self;
}

static void let_go(struct hd_blocks_builder *b, struct hd_blocks_sink *sink) {
    struct hd_blocks_gathered *self = b->gathered;
    if (self->kept < self->count) {
        *self->link = self->next;
        if (self->next) self->next->link = self->link;
    }
    self->next = sink->spare;
    sink->spare = self;
    b->gathered = NULL;
}

static void add(struct hd_blocks_gathered *self, struct hd_blocks_sink *sink,
                const struct hd_step *step) {
    if (self->kept == self->count) { /* its first one in this batch */
        self->next = sink->gathered;
        self->link = &sink->gathered;
        if (self->next) self->next->link = &self->next;
        sink->gathered = self;
    }
    self->steps[self->count++] = step;
    hd_blocks_keys_add(&self->keys, (struct hd_blocks_key){
        .obj = step->obj, .aux = step->aux, .held = step->held,
        .what = step->kind | (uint32_t)step->flags << 8 | (uint32_t)step->marks << 16});
}

void hd_blocks_gather_keep(struct hd_blocks_sink *sink) {
    for (struct hd_blocks_gathered *self = sink->gathered; self; self = self->next) {
        for (; self->kept < self->count; self->kept++) {
            self->own[self->kept] = *self->steps[self->kept];
            self->steps[self->kept] = &self->own[self->kept];
        }
    }
    sink->gathered = NULL;
}

/* Its region and period, and the locks that it begins with, one by one. */
void hd_blocks_gather_begin(struct hd_blocks_builder *b, struct hd_blocks_sink *sink,
                            const struct hd_step *step) {
    if (!sink->known || b->unary || b->outer > HD_BLOCKS_OUTER_MOST) return;
    struct hd_blocks_gathered *self = b->gathered = get(sink);
    hd_blocks_keys_add(&self->keys, (struct hd_blocks_key){.obj = b->region,
                                                           .aux = b->period,
                                                           .held = step->held,
                                                           .what = step->thread});
    for (const struct hd_hold *hold = step->holds; hold; hold = hold->below) {
        hd_blocks_keys_add(&self->keys, (struct hd_blocks_key){.obj = hold->element});
    }
}

static void take_all(struct hd_blocks_builder *b, struct hd_blocks_sink *sink) {
    const struct hd_blocks_gathered *self = b->gathered;
    for (uint32_t i = 0; i < self->count; i++) hd_blocks_take(b, sink, self->steps[i]);
}

void hd_blocks_gather_end(struct hd_blocks_builder *b, struct hd_blocks_sink *sink) {
    if (!b->gathered) return;
    take_all(b, sink);
    let_go(b, sink);
}

static uint64_t left_out(const struct hd_blocks_sink *sink) {
    return sink->large + sink->skipped + sink->store->dropped;
}

static __attribute__((noinline)) void close(struct hd_blocks_builder *b, struct hd_blocks_sink *sink) {
    const struct hd_blocks_gathered *self = b->gathered;
    if (hd_blocks_known_is(sink->known, &self->keys)) {
        b->open = false;
    } else {
        uint64_t before = left_out(sink);
        take_all(b, sink);
        if (left_out(sink) == before) hd_blocks_known_add(sink->known, &self->keys);
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
    if (self->count == HD_BLOCKS_KNOWN_MOST) {
        hd_blocks_gather_end(b, sink);
        return false;
    }
    add(self, sink, step);
    if (step->kind == HD_STEP_CLOSE) close(b, sink);
    return true;
}

/* blocks_pairs.c - 2v-blocks: rule (d) of blocks_build.h.
 *
 * All pairs of initial reads and final writes of different variables, in program
 * order. What is held from one to the other, and what is taken and released in
 * between, follow from the segments alone, so they are carried along while the
 * second one walks. This is where the time goes: the places of a batch of blocks
 * in the store are fetched before the first is looked at. */
#include "checkers/blocks_build.h"

#define BATCH 32

struct batch {
    const struct hd_blocks_builder *builder;
    struct hd_blocks_block block[BATCH];
    uint32_t hash[BATCH];
    const struct hd_blocks_event *event[BATCH][2];
    unsigned count;
};

static void flush(struct batch *batch, struct hd_blocks_store *store) {
    for (unsigned i = 0; i < batch->count; i++)
        hd_blocks_store_fetch(store, batch->hash[i]);
    for (unsigned i = 0; i < batch->count; i++) {
        hd_blocks_store_put(store, &batch->block[i], batch->hash[i], batch->event[i][0],
                            batch->event[i][1], batch->builder->period,
                            batch->builder->txn);
    }
    batch->count = 0;
}

/* `set` without the locks of `other`, in whatever mode. */
static uint32_t without(struct hd_locksets *sets, uint32_t set, uint32_t other) {
    uint32_t count;
    const uint32_t *elements = hd_lockset_elements(sets, other, &count);
    for (uint32_t i = 0; i < count && set != HD_LOCKSET_EMPTY; i++) {
        uint32_t lock = HD_LOCK_OF(elements[i]);
        set = hd_lockset_remove(sets, set, HD_LOCK_SHARED(lock));
        set = hd_lockset_remove(sets, set, HD_LOCK_EXCLUSIVE(lock));
        elements = hd_lockset_elements(sets, other, &count); /* sets may have moved */
    }
    return set;
}

static void pair(struct hd_blocks_builder *b, struct hd_blocks_sink *sink,
                 struct batch *batch, const struct hd_blocks_entry *e,
                 const struct hd_blocks_entry *f, uint32_t held12, uint32_t mid) {
    unsigned at = batch->count++;
    struct hd_blocks_block *block = &batch->block[at];
    *block = (struct hd_blocks_block){
        .var = {e->granule, f->granule},
        .region = b->region,
        .thread = b->thread,
        .op = {e->op, f->op},
        .flags = e->event.seq == f->event.seq ? HD_BLOCKS_INSTANT : 0,
        .held = {e->held, f->held},
        .held12 = held12,
        .mid = mid,
        .shape = b->shape,
    };
    if (sink->gaps) {
        block->gap = hd_blocks_gap_of(sink->gaps, b->held + e->segment,
                                      f->segment - e->segment + 1);
    }
    if (sink->shapes) {
        block->at[0] = b->outer + e->segment;
        block->at[1] = b->outer + f->segment;
    }
    batch->hash[at] = hd_blocks_store_hash(sink->store, block);
    batch->event[at][0] = &e->event;
    batch->event[at][1] = &f->event;
    if (batch->count == BATCH) flush(batch, sink->store);
}

/* The final write of the same variable, made in the same segment, conflicts with
 * more and stands in the same place with respect to the other access: its pair
 * says all that this one would. */
static bool is_needless(const struct hd_blocks_entry *e,
                        const struct hd_blocks_entry *f) {
    return e->twin < f->pos || f->twin != HD_BLOCKS_NONE;
}

void hd_blocks_pairs(struct hd_blocks_builder *b, struct hd_blocks_sink *sink) {
    struct hd_locksets *sets = sink->store->sets;
    struct batch batch;
    batch.builder = b;
    batch.count = 0;
    uint32_t count = b->entry_count;
    if (count > HD_BLOCKS_ENTRIES_MAX) {
        sink->large++;
        count = HD_BLOCKS_ENTRIES_MAX;
    }
    uint32_t start = 0; /* the first lock released after the segment of e */
    for (uint32_t i = 0; i + 1 < count; i++) {
        const struct hd_blocks_entry *e = &b->entries[i];
        while (start < b->closed_count && b->holds[b->closed[start]].to <= e->segment)
            start++;
        uint32_t next = start;
        uint32_t held12 = e->held;
        uint32_t inside = HD_LOCKSET_EMPTY, mid = HD_LOCKSET_EMPTY;
        uint32_t mid_segment = e->segment;
        for (uint32_t k = i + 1; k < count; k++) {
            const struct hd_blocks_entry *f = &b->entries[k];
            for (; next < b->closed_count && b->holds[b->closed[next]].to <= f->segment;
                 next++) {
                const struct hd_blocks_hold *hold = &b->holds[b->closed[next]];
                if (hold->from <= e->segment) {
                    held12 = hd_lockset_remove(sets, held12, hold->element);
                } else {
                    inside = hd_lockset_add(sets, inside, hold->element);
                }
            }
            if (inside != HD_LOCKSET_EMPTY && f->segment != mid_segment) {
                mid = without(sets, without(sets, inside, e->held), f->held);
                mid_segment = f->segment;
            }
            if (e->granule != f->granule && (sink->store->every || !is_needless(e, f))) {
                pair(b, sink, &batch, e, f, held12, mid);
            }
        }
    }
    flush(&batch, sink->store);
}

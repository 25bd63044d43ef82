/* footprint.h - what an operation touched: places by key, and how.
 *
 * Two operations of different threads depend on each other if their footprints
 * conflict. What an operation touches follows from what comes before it in its
 * class of executions, so a footprint stays true when independent operations
 * are moved past it. */
#ifndef HD_FOOTPRINT_H
#define HD_FOOTPRINT_H

#include "sched/place.h"

#include <stdbool.h>
#include <stdint.h>

#define HD_FOOT 6

struct hd_foot {
    uint64_t sketch; /* a bit for every key, which others may share: most pairs have none in common */
    uint64_t key[HD_FOOT];
    uint8_t mode[HD_FOOT]; /* enum hd_mode */
    uint8_t count;
    bool all; /* the execution ended with it, or it touched too much: depends on everything */
};

static inline uint64_t hd_foot_bit(uint64_t key) {
    return 1UL << (key * 0x9e3779b97f4a7c15UL >> 58);
}

/* Two that have no bit in common do not conflict, unless one has all of them. */
static inline uint64_t hd_foot_sketch(const struct hd_foot *self) {
    return self->all ? UINT64_MAX : self->sketch;
}

static inline void hd_foot_add(struct hd_foot *self, uint64_t key, unsigned mode) {
    for (unsigned i = 0; i < self->count; i++) {
        if (self->key[i] != key) continue;
        if (mode > self->mode[i]) self->mode[i] = (uint8_t)mode;
        return;
    }
    if (self->count == HD_FOOT) {
        self->all = true;
        return;
    }
    self->sketch |= hd_foot_bit(key);
    self->key[self->count] = key;
    self->mode[self->count++] = (uint8_t)mode;
}

static inline bool hd_foot_conflict(const struct hd_foot *a, const struct hd_foot *b) {
    if (a->all || b->all) return true;
    if (!(a->sketch & b->sketch)) return false;
    for (unsigned i = 0; i < a->count; i++) {
        for (unsigned k = 0; k < b->count; k++) {
            if (a->key[i] == b->key[k] &&
                (a->mode[i] == HD_MODE_WRITE || b->mode[k] == HD_MODE_WRITE)) {
                return true;
            }
        }
    }
    return false;
}

#endif

/* class.h - a number for the class of an execution.
 *
 * Executions that differ only in the order of operations that do not depend on
 * each other are one class. A thread's hash stands for everything that comes
 * before what it does next: its own operations, and through the places that it
 * touched those of others. A place keeps the hash of its last write and the sum
 * of the hashes of the reads since, which does not see their order. The class is
 * the sum over the threads. Ids and clock slots are given in the order of
 * creation, which may differ within a class, so none of them goes in: only
 * homes, keys and answers do. */
#ifndef HD_CLASS_H
#define HD_CLASS_H

#include "place.h"
#include "thread.h"

static inline uint64_t hd_mix(uint64_t a, uint64_t b) {
    uint64_t z = (a ^ (b * 0x9e3779b97f4a7c15UL)) + 0x2545f4914f6cdd1dUL;
    z = (z ^ (z >> 29)) * 0xbf58476d1ce4e5b9UL;
    return z ^ (z >> 32);
}

static inline uint64_t hd_mix_bytes(uint64_t hash, const void *data, size_t size) {
    const unsigned char *at = data;
    for (size_t i = 0; i < size; i++) hash = (hash ^ at[i]) * 0x100000001b3UL;
    return hash;
}

static inline void hd_class_touch(struct hd_thread *self, struct hd_place *place,
                                  enum hd_mode mode) {
    /* What is met there first, by itself: a processor does that while it waits for the
     * thread's own. */
    uint64_t met = hd_mix(place->key << 2 | mode, place->write_hash);
    if (mode == HD_MODE_WRITE) met = hd_mix(met, place->read_hashes);
    self->hash = hd_mix(self->hash, met);
    if (mode == HD_MODE_WRITE) {
        place->write_hash = self->hash;
        place->read_hashes = 0;
    } else {
        place->read_hashes += self->hash;
    }
}

static inline void hd_class_step(struct hd_thread *self) {
    self->hash = hd_mix(self->hash, self->op.kind);
}

#endif

/* clock.h - happens-before inside one execution.
 *
 * Vector clocks over the visible operations. A thread's own component counts
 * the visible operations it has done; its whole clock says which operations of
 * others come before what it does next. An invisible access made after a
 * thread's n-th operation has the epoch n; it comes before thread t's next step
 * iff t's component for that thread is greater than n.
 *
 * Components are slots, not threads: a slot is used again for a thread whose
 * creator has seen the end of the slot's former thread (everything the new one
 * does then comes after everything the old one did, so one counter serves
 * both). Ten thousand threads created and joined in turn need two slots. */
#ifndef HD_CLOCK_H
#define HD_CLOCK_H

#include "memory_map.h"

#include <stdint.h>
#include <string.h>

struct hd_clock {
    uint32_t count; /* components beyond this are 0; a multiple of 4 */
    uint32_t room;
    uint32_t *at;
};

void hd_clock_grow(struct hd_clock *clock, uint32_t count); /* passing memory */
void hd_clock_reserve(struct hd_clock *clock, uint32_t count); /* the same; what it holds is lost */
/* Nobody asks for it any more: what it holds may be another's. */
void hd_clock_drop(struct hd_clock *clock);

static inline uint32_t hd_clock_get(const struct hd_clock *clock, uint32_t slot) {
    return slot < clock->count ? clock->at[slot] : 0;
}

static inline void hd_clock_set(struct hd_clock *clock, uint32_t slot, uint32_t value) {
    if (slot >= clock->count) hd_clock_grow(clock, slot + 1);
    clock->at[slot] = value;
}

/* Compared as signed, which is one instruction: nobody does 2^31 operations. */
typedef int32_t hd_four __attribute__((vector_size(16), aligned(4), may_alias));

static inline void hd_clock_join(struct hd_clock *clock, const struct hd_clock *other) {
    if (other->count > clock->count) hd_clock_grow(clock, other->count);
    uint32_t *to = clock->at, count = other->count;
    const uint32_t *from = other->at;
    for (uint32_t i = 0; i < count; i += 4) {
        hd_four a = *(hd_four *)(to + i), b = *(const hd_four *)(from + i), larger = (hd_four)(a > b);
        *(hd_four *)(to + i) = (a & larger) | (b & ~larger);
    }
}

static inline void hd_clock_copy(struct hd_clock *clock, const struct hd_clock *other) {
    if (other->count > clock->room) hd_clock_reserve(clock, other->count);
    uint32_t *to = clock->at, count = other->count;
    const uint32_t *from = other->at;
    clock->count = count;
    for (uint32_t i = 0; i < count; i += 4) *(hd_four *)(to + i) = *(const hd_four *)(from + i);
}

#endif

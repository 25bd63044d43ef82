/* clock.h - vector clocks and epochs.
 *
 * A clock tells, for each thread, how much of it is known. A component that was
 * never set is 0, so clocks of different lengths compare. An epoch is one
 * component by itself, thread and value in one number: most variables need no
 * more (FastTrack). Value 0 means "nothing yet": every clock covers it. */
#ifndef HD_CLOCK_H
#define HD_CLOCK_H

#include "checkers/arena.h"

#include <stdbool.h>
#include <stdint.h>

struct hd_clock {
    uint32_t *at;
    uint32_t count; /* components that may be non-zero */
    uint32_t room;
};

typedef uint64_t hd_epoch;

static inline hd_epoch hd_epoch_make(uint32_t thread, uint32_t value) {
    return (hd_epoch)thread << 32 | value;
}
static inline uint32_t hd_epoch_thread(hd_epoch e) { return (uint32_t)(e >> 32); }
static inline uint32_t hd_epoch_value(hd_epoch e) { return (uint32_t)e; }

static inline uint32_t hd_clock_get(const struct hd_clock *c, uint32_t thread) {
    return thread < c->count ? c->at[thread] : 0;
}
static inline bool hd_clock_covers(const struct hd_clock *c, hd_epoch e) {
    return hd_epoch_value(e) <= hd_clock_get(c, hd_epoch_thread(e));
}

void hd_clock_set(struct hd_arena *arena, struct hd_clock *c, uint32_t thread, uint32_t value);
void hd_clock_copy(struct hd_arena *arena, struct hd_clock *to, const struct hd_clock *from);
void hd_clock_join(struct hd_arena *arena, struct hd_clock *to, const struct hd_clock *from);
bool hd_clock_leq(const struct hd_clock *a, const struct hd_clock *b); /* pointwise */
/* A thread whose component in `a` exceeds that in `b`, or -1. */
int64_t hd_clock_excess(const struct hd_clock *a, const struct hd_clock *b);
static inline void hd_clock_clear(struct hd_clock *c) { c->count = 0; }

#endif

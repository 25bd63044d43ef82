/* count.h - events of the running thread, counted as they pass.
 *
 * A schedule counts every event of a thread, and a thread is stopped at an exact
 * number of them. One counter that each access adds one to would make each wait for
 * the one before it (some seven cycles, twice what all the rest of a repeated access
 * takes), so there are several, chosen by the address. Each has a share of the events
 * that the thread may pass; one that is used up is the moment to look at the sum.
 *
 * thread->events is exact whenever the thread stands at a point or does not run;
 * in between, what the lanes have used comes to it. */
#ifndef HD_COUNT_H
#define HD_COUNT_H

#include "runtime.h"
#include "shadow.h"

/* thread->events of the running thread is exact. */
static inline void hd_collect(struct hd_thread *self) {
    uint64_t left = 0;
    for (unsigned lane = 0; lane < HD_LANES; lane++) left += (uint64_t)hd_rt->left[lane];
    self->events += hd_rt->lent - left;
    hd_rt->lent = left;
}

/* The same, and it may run up to its limit. */
static inline void hd_lend(struct hd_thread *self) {
    hd_collect(self);
    uint64_t each = self->limit > self->events ? (self->limit - self->events) / HD_LANES : 0;
    for (unsigned lane = 0; lane < HD_LANES; lane++) hd_rt->left[lane] = (int64_t)each;
    hd_rt->lent = each * HD_LANES;
}

/* From here on this thread runs; NULL: heddle itself. */
static inline void hd_become(struct hd_thread *next) {
    if (hd_rt->current) hd_collect(hd_rt->current);
    hd_rt->current = next;
    hd_rt->lent = 0;
    for (unsigned lane = 0; lane < HD_LANES; lane++) hd_rt->left[lane] = 0;
    if (next) hd_lend(next);
    hd_stamp();
}

static inline unsigned hd_lane(uintptr_t address) { return (address >> 3) % HD_LANES; }

/* It was no event after all. */
static inline void hd_count_back(unsigned lane) { hd_rt->left[lane]++; }

/* One more event. False: the lane had no more, and hd_count_late has to count it. */
static inline bool hd_count_lane(unsigned lane) { return hd_likely(--hd_rt->left[lane] >= 0); }

/* The rest of it: the thread may be at its limit. */
void hd_count_late(unsigned lane, void *pc);

static inline void hd_count(void *pc) {
    if (!hd_count_lane(0)) hd_count_late(0, pc);
}

#endif

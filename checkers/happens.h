/* happens.h - happens-before of the run that was observed.
 *
 * A vector clock per thread, moved on by everything that orders threads: locks,
 * start and join, barriers, conditions, semaphores, once, atomics by their memory
 * order, fences. Unlike periods (period.h) this is about the one schedule that
 * happened; another one may order other things.
 *
 * What orders what:
 *   lock         a release before each later acquire; readers of a reader-writer
 *                lock are not ordered among themselves
 *   condition    a notify before the wake of those who were asleep at that moment
 *   semaphore    a post before a wait that could not have passed without it: with
 *                initial count c, the k-th wait needs a post v if fewer than k
 *                units were there without v and what comes after v
 *   once         the initialiser before everyone who finds it done
 *   atomic       a release store, or a store after a release fence, before an
 *                acquire load that reads it or what a chain of read-modify-writes
 *                made of it; likewise through an acquire fence. A plain store in
 *                between ends the chain. Sequential consistency adds no more than
 *                acquire and release do
 *   volatile     nothing */
#ifndef HD_HAPPENS_H
#define HD_HAPPENS_H

#include "checkers/checker.h"
#include "checkers/clock.h"

struct hd_happens {
    struct hd_clock *threads; /* empty until a thread is heard of, and again after its join */
    uint32_t *joined;         /* per thread: its own component when it was joined */
    struct hd_clock *spare;   /* memory of clocks that are not needed any more */
    size_t spare_count, spare_room;
    struct hd_arena *arena;
    const struct hd_trace *trace;
    uint32_t thread_count;
    struct hd_clock *released; /* per sync: by whom it was let go of last; once: done */
    struct hd_clock *readers;  /* per sync: by its readers since the last writer */
    struct hd_clock *cells;    /* per granule: what an acquire load of it learns */
    struct hd_clock *seen;     /* per thread: what its relaxed loads read; for fences */
    struct hd_clock *fenced;   /* per thread: its clock at its last release fence */
    struct hd_clock *signals;  /* per thread: notifies since it fell asleep */
    uint32_t *asleep;          /* per thread: the condition plus one, or 0 */
    uint32_t sleepers;
    struct hd_happens_episode *episodes, *spare_episodes;
    struct hd_happens_sem **sems; /* per sync, made when first used */
};

struct hd_happens *hd_happens_new(const struct hd_pass *pass);
/* Any step but a plain access; plain ones order nothing. */
void hd_happens_step(struct hd_happens *hb, const struct hd_step *step);

/* A thread's first event: gives it a clock. */
void hd_happens_meet(struct hd_happens *hb, uint32_t thread);

static inline const struct hd_clock *hd_happens_clock(struct hd_happens *hb, uint32_t thread) {
    if (__builtin_expect(!hb->threads[thread].count, 0)) {
        hd_happens_meet(hb, thread);
    }
    return &hb->threads[thread];
}
static inline hd_epoch hd_happens_now(struct hd_happens *hb, uint32_t thread) {
    return hd_epoch_make(thread, hd_happens_clock(hb, thread)->at[thread]);
}
static inline void hd_happens_tick(struct hd_happens *hb, uint32_t thread) {
    hd_happens_clock(hb, thread);
    hb->threads[thread].at[thread]++;
}

/* ---- for the parts of happens*.c ---- */
void hd_happens_atomic(struct hd_happens *hb, const struct hd_step *step);
void hd_happens_fence(struct hd_happens *hb, const struct hd_step *step);
void hd_happens_post(struct hd_happens *hb, const struct hd_step *step);
void hd_happens_pend(struct hd_happens *hb, const struct hd_step *step);

#endif

/* determinism_cf.h - conflict freedom: inside of one transaction, do two operations
 * that can happen in either order conflict?
 *
 * Order here is what every run has in common: thread order, fork and join, barriers,
 * permits that a semaphore cannot do without, once. Locks order nothing: who comes
 * first is just what is not determined.
 *
 *   data, atomics  two accesses, one of them a write
 *   locks          a release and a later acquire, unless both by readers
 *   semaphores     two P operations: who gets the permit? V and V do not conflict
 *
 * Kept per object and transaction: the last write (release, P), and the reads since
 * that are not ordered among themselves. Epochs do for clocks, since all that a thread
 * tells others it tells with its whole clock. What a transaction does before its first
 * fork comes before all that its threads do: nothing is kept of that. */
#ifndef HD_DETERMINISM_CF_H
#define HD_DETERMINISM_CF_H

#include "checkers/determinism_block.h"
#include "checkers/happens.h"

struct hd_cf_entry;

/* The entries of one object: a list, or if they are many, a row by transaction. */
struct hd_cf_object {
    struct hd_cf_entry *list;
    struct hd_cf_entry **row;
    uint32_t count; /* in the list; then the length of the row */
};

struct hd_cf {
    struct hd_arena *arena;
    struct hd_happens *order;
    struct hd_blocks *blocks;
    struct hd_cf_object *variables; /* per granule */
    struct hd_cf_object *syncs;
    uint32_t tm;
    bool reset; /* clocks start anew at a begin, as printed */
    /* `now` conflicts with `earlier`; both have their block in `txn`. */
    void (*on_conflict)(void *context, const struct hd_access *earlier,
                        const struct hd_access *now);
    void *context;
};

void hd_cf_begin(struct hd_cf *cf, const struct hd_pass *pass, struct hd_blocks *blocks);
/* A transaction begins. */
void hd_cf_open(struct hd_cf *cf, uint32_t thread);
/* `op` is the step, with the thread's block in `txn`. Before the thread's
 * membership changes by it. */
void hd_cf_step(struct hd_cf *cf, const struct hd_step *step, const struct hd_access *op);
/* An access that is only remembered. */
void hd_cf_quiet(struct hd_cf *cf, const struct hd_step *step, const struct hd_access *op);

#endif

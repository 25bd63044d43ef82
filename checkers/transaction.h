/* transaction.h - which stretches of a thread are expected to be atomic.
 *
 * The policies are those of `--transactions`:
 *   annotated   begin/end regions only
 *   functions   those, every function with external linkage but main and thread
 *               entries, and outermost lock regions outside of such functions
 *   regions     begin/end, and outermost lock regions
 *   default     as `functions`, but a function counts only if in the whole trace
 *               no call of it contains a fork, join, barrier, wait, sleep or
 *               output, or more than four outermost lock regions; one that does
 *               yields to its callees. A wait splits a transaction.
 *   none        nothing is
 *   @FILE       default, with `function NAME` (is one, whatever it contains) and
 *               `not NAME` (is none, nor are lock regions directly in it)
 *
 * Common rules:
 *   (1) Only the outermost counts.
 *   (2) Fork, join and barrier end a transaction; it goes on, as a new instance
 *       of the same region, at the thread's next event. So each instance lies in
 *       one thread and one period.
 *   (3) A memory transaction (txb/txe) is a lock region on the one lock that all
 *       of them share.
 *   (4) In a text trace all functions are external. A thread's entry is a
 *       function flagged as such, or the first thing that a forked thread does if
 *       nothing but its stop comes after it; `main` is one by name. */
#ifndef HD_TRANSACTION_H
#define HD_TRANSACTION_H

#include "checkers/arena.h"
#include "sched/trace/trace.h"

#include <stdbool.h>

struct hd_policy {
    bool annotated;      /* begin/end */
    bool functions;
    bool regions;        /* outermost lock regions */
    bool small_functions; /* only those that meet the conditions of `default` */
    bool split_at_wait;
    const char **named;  /* `function NAME` */
    uint32_t named_count;
    const char **barred; /* `not NAME` */
    uint32_t barred_count;
};

#define HD_SMALL_REGIONS 4 /* outermost lock regions that a small function may have */

/* Reads the argument of --transactions; NULL means default. 0, or -1 with err. */
int hd_policy_parse(struct hd_arena *arena, const char *text, struct hd_policy *policy,
                    struct hd_error *err);

#endif

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
 *               yields to its callees.
 *   none        nothing is
 *   @FILE       default, with `function NAME` (is one, whatever it contains) and
 *               `not NAME` (is none, nor are lock regions directly in it)
 *
 * Common rules:
 *   (1) Only the outermost counts: what lies in it whole is a part of it.
 *   (2) What begins inside of another and outlasts it is no part of it. An annotated
 *       region that does so, or a function in a lock region, ends the other one
 *       where it begins, so that it is itself in one piece; as with the conditions
 *       of `default`, that one call does it in the trace is enough for all.
 *       Otherwise the rest of it counts, from where the other one ends: a function
 *       or an annotated region that ends with a lock held that it took, and whoever
 *       called it, share the lock region between them.
 *   (3) Fork, join, barrier and wait end a transaction; it goes on, as a new instance
 *       of the same region, at the thread's next event (after a wait: with the
 *       wake-up). So each instance lies in one thread and one period.
 *   (4) A memory transaction (txb/txe) is a lock region on the one lock that all
 *       of them share.
 *   (5) In a text trace all functions are external. A thread's entry is a
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
    const char **named;  /* `function NAME` */
    uint32_t named_count;
    const char **barred; /* `not NAME` */
    uint32_t barred_count;
    uint32_t *labels;    /* of this very trace: `function NAME` by number */
    uint32_t label_count;
};

#define HD_SMALL_REGIONS 4 /* outermost lock regions that a small function may have */

/* Reads the argument of --transactions; NULL means default. Lines that follow it are
 * numbers of labels (no user types those). 0, or -1 with err. */
int hd_policy_parse(struct hd_arena *arena, const char *text, struct hd_policy *policy,
                    struct hd_error *err);

#endif

/* plan.h - a warning becomes goals to steer toward.
 *
 * A checker says which events, in which order, would show what it claims. A plan
 * brings that order about: each event's thread is held until the one before has
 * happened (sched/strategies/goal.h). Where a thread is held matters more than
 * what for: before the outermost lock that it takes for the event and did not have
 * before, because one who waits inside a critical section keeps the others out.
 *
 * For each kind of warning:
 *   atomicity   the order that the checker gives; then every pair of accesses of
 *               an instance of the transaction with an access (or two) of another
 *               thread that conflicts with both
 *   race        both threads stand before their accesses, then one goes, then the
 *               other; and the other way round
 *   deadlock    each thread is held before the lock it wants until all have theirs
 *   determinism the pair in both orders; a cycle in its order
 *   other       the order that the checker gives
 *
 * A plan promises nothing: what came of it, the judge says (question_judge.c). */
#ifndef HD_PLAN_H
#define HD_PLAN_H

#include "checkers/warning.h"
#include "sched/trace/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HD_PLANS 48      /* for one warning; the most promising come first */
#define HD_MILESTONES 8  /* of the order that a plan wants, for telling how near it came */

struct hd_milestone { /* this thread passes this place */
    char thread[64];
    uint64_t site; /* identity */
    char place[120];
};

struct hd_plan {
    char *rules; /* lines of a goal */
    struct hd_milestone order[HD_MILESTONES];
    uint32_t count;
};

struct hd_plans {
    struct hd_plan list[HD_PLANS];
    uint32_t count;
    uint32_t next; /* those before it were tried */
};

void hd_plans_free(struct hd_plans *self);

/* The points of a recorded trace that plans are made from. */
struct hd_plan_book;
struct hd_plan_book *hd_plan_book_new(struct hd_trace *trace, const char *transactions,
                                      struct hd_error *err);
void hd_plan_book_free(struct hd_plan_book *book);

/* `identity` is the warning's (identity.h). Plans that are there already, and
 * those beyond HD_PLANS, are dropped. */
void hd_plan_warning(struct hd_plans *out, const struct hd_plan_book *book,
                     const struct hd_warning *warning, uint64_t identity);

#endif

/* twins.h - what comes of the two orders of a race.
 *
 * Two accesses race, and all that comes before either of them is given: then they can
 * run in either order, and whatever differs afterwards differs because of that order.
 * Comparing all executions that have the one order with all that have the other would
 * not do: there, something else that goes with the order can differ (a lock that one
 * of them was in time for), and what differs can be levelled out by others (of three
 * threads that count without a lock, any two run in either order with every result).
 *
 * Definition. Operations depend on each other if they are of one thread, or on one
 * object unless both read it. The *past* of an operation is all that comes before it
 * by such pairs. Accesses a and b of two threads, not both atomic, are *neighbours*
 * in an execution if b depends on a and on nothing else that comes after a. The
 * *case* of two neighbours is the past of both, without themselves. The race does harm
 * iff in some case the outcomes of executions with a first are not the same set as
 * the outcomes of those with b first. After a complete search all cases are known,
 * each with all of its outcomes.
 *
 * An order of a case is *settled* by an execution in which nothing that comes after the
 * two could come in another order: all threads are joined, and of each later pair of
 * operations that depend on each other, forks and joins say which is first. Every
 * execution of this order of the case is then like this one. So cases of which both orders are settled
 * say whether there is harm before the search is complete.
 *
 * All executions must tell accesses alike: a trace leaves out repetitions of those that
 * are not visible. So what was noted is dropped whenever more becomes visible (the
 * search starts over), and when a search begins. */
#ifndef HD_TWINS_H
#define HD_TWINS_H

#include "orders.h"
#include "sched/trace/trace.h"

#include <stdbool.h>
#include <stdint.h>

struct hd_twin { /* a case of a race on a variable */
    uint64_t variable; /* identity; 0: an empty place of the table */
    uint64_t past;
    uint64_t places[2];         /* where the two are: identities of sites */
    struct hd_outcomes came[2]; /* of each order */
    bool settled[2];            /* that is all that comes of it */
    uint32_t number;            /* in the order in which cases were first met */
};

struct hd_twins {
    struct hd_twin *table; /* open addressing */
    uint32_t room, count;
    bool blind; /* an execution was too large to be looked at */
};

/* One more execution in which something raced. */
void hd_twins_note(struct hd_twins *self, struct hd_trace *trace, uint32_t outcome,
                   uint32_t failure, bool cut, struct hd_error *err);

enum hd_twins_word {
    HD_TWINS_NONE,  /* no case was seen in both orders */
    HD_TWINS_ALIKE, /* all that were, had the same outcomes in both */
    HD_TWINS_DIFFER
};
struct hd_twins_told { /* outcomes of a case whose orders differ; HD_NO_ID: no outcome does */
    uint32_t only;  /* that only one order has: one that failed, or else was seen late */
    uint32_t other; /* of the other order */
    uint64_t places[2]; /* where the two accesses of the case are; 0: no case differs */
    uint32_t number; /* the first such case */
    bool sure; /* that they differ: nothing that was not seen can change that */
};
/* `failed` by outcome. */
enum hd_twins_word hd_twins_say(const struct hd_twins *self, uint64_t variable,
                                const bool *failed, struct hd_twins_told *told);

/* The same of cases of which both orders are settled; false: they differ in none. */
bool hd_twins_settled(const struct hd_twins *self, uint64_t variable, const bool *failed,
                      struct hd_twins_told *told);

void hd_twins_free(struct hd_twins *self);

#endif

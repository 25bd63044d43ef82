/* orders.h - in which order two operations ran, and what came of each order.
 *
 * For what is meant to be deterministic: nothing may come of their order. A side is a
 * place in one particular thread; of every two sides the outcomes are kept by which of
 * them came first. (Races are compared more closely, twins.h.) */
#ifndef HD_ORDERS_H
#define HD_ORDERS_H

#include "sched/trace/trace.h"

#include <stdbool.h>
#include <stdint.h>

#define HD_SIDES 12 /* of one question; more are left out */

#define HD_OUTCOME_FAILURE 0x80000000U /* the number of a failure, beside those of outcomes */
#define HD_OUTCOME_HALF 0x40000000U    /* of one that came before the second of a pair */

struct hd_outcomes { /* a set of outcome numbers */
    uint32_t *list;
    uint32_t count, room;
};

bool hd_outcomes_has(const struct hd_outcomes *set, uint32_t outcome);
void hd_outcomes_put(struct hd_outcomes *set, uint32_t outcome);
bool hd_outcomes_within(const struct hd_outcomes *set, const struct hd_outcomes *other);

struct hd_orders {
    uint64_t side[HD_SIDES];
    uint32_t count;
    uint32_t asked[HD_SIDES];     /* bits: with which other side it is a pair */
    struct hd_outcomes (*before)[HD_SIDES]; /* [a][b]: when a came first */
};

/* The same thread in other executions: by its name. */
uint64_t hd_thread_identity(const struct hd_trace *trace, uint32_t thread);
/* A place in one particular thread. */
uint64_t hd_side_of(const struct hd_trace *trace, uint32_t site, uint32_t thread);

/* These two are a pair. */
void hd_orders_ask(struct hd_orders *self, uint64_t one, uint64_t other);

/* One more execution. `failure` tells failures apart; HD_NO_ID: there was none. */
void hd_orders_note(struct hd_orders *self, struct hd_trace *trace, uint32_t outcome,
                    uint32_t failure, struct hd_error *err);

/* Some pair ran in both orders. */
bool hd_orders_both(const struct hd_orders *self);
/* Some pair did, and not everything that came of the one came of the other. */
bool hd_orders_differ(const struct hd_orders *self);
/* Some pair did, and only one order had this outcome. */
bool hd_orders_only(const struct hd_orders *self, uint32_t outcome);

/* For races, an execution that failed. True: of some pair the one came and the other did
 * not, since that was the end. `failing`: the thread that made it so, or NULL. */
bool hd_orders_failed(struct hd_orders *self, struct hd_trace *trace, uint32_t failure,
                      const char *failing, struct hd_error *err);
/* That failure was brought about by a thread that had done its part of some pair while the
 * other part was still to come, and never came where that other was first. */
bool hd_orders_one_way(const struct hd_orders *self, uint32_t failure);

void hd_orders_free(struct hd_orders *self);

#endif

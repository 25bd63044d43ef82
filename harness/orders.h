/* orders.h - in which order two accesses ran, and what came of each order.
 *
 * A side is a place in one particular thread. Of every two sides that may matter the
 * outcomes are kept by which of them came first, from the first execution on: which
 * of them are a pair that was asked about may turn out later. */
#ifndef HD_ORDERS_H
#define HD_ORDERS_H

#include "sched/trace/trace.h"

#include <stdbool.h>
#include <stdint.h>

#define HD_SIDES 12 /* of one question; more are left out, those asked about come first */

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

/* A place in one particular thread. */
uint64_t hd_side_of(const struct hd_trace *trace, uint32_t site, uint32_t thread);

/* These two are a pair. */
void hd_orders_ask(struct hd_orders *self, uint64_t one, uint64_t other);

/* One more execution. With a granule, other places that touch it are sides, too;
 * HD_NO_ID: none. `failure` tells failures apart; HD_NO_ID: there was none. */
void hd_orders_note(struct hd_orders *self, struct hd_trace *trace, uint32_t granule,
                    uint32_t outcome, uint32_t failure, struct hd_error *err);

/* Some pair ran in both orders. */
bool hd_orders_both(const struct hd_orders *self);
/* Some pair did, and not everything that came of the one came of the other. */
bool hd_orders_differ(const struct hd_orders *self);
/* Every failure came in both orders of every pair that it was seen with. */
bool hd_orders_fail_alike(const struct hd_orders *self);

void hd_orders_free(struct hd_orders *self);

#endif

/* plan_inner.h - shared by the files behind plan.h: the points of a trace. */
#ifndef HD_PLAN_INNER_H
#define HD_PLAN_INNER_H

#include "plan.h"

#define HD_PLAN_HOLDS 6 /* open acquisitions that are remembered for a point, outermost first */

/* An access or an acquire: where a thread can be held, or be seen to pass. */
struct hd_plan_point {
    uint64_t seq;
    uint64_t region;   /* identity of the atomicity warning about its transaction, or 0 */
    uint32_t obj;      /* granule or lock */
    uint32_t site;
    uint32_t instance; /* the how manieth time that its thread is at this place, from 1 */
    uint32_t txn;
    uint16_t thread;
    uint8_t kind;
    bool shared;   /* an acquire for reading; an access that others may make */
    uint8_t hold_count;
    uint32_t holds[HD_PLAN_HOLDS]; /* indices of points */
};

struct hd_plan_book {
    struct hd_trace *trace;
    struct hd_plan_point *points; /* by seq */
    uint32_t count, room;
    uint32_t *by_object; /* indices of accesses, by (obj, seq) */
    uint32_t by_count;
};

/* Index of the point of an event; UINT32_MAX: it is none. */
uint32_t hd_plan_find(const struct hd_plan_book *book, uint64_t seq);
/* The accesses to a granule: a range of by_object. */
const uint32_t *hd_plan_accesses(const struct hd_plan_book *book, uint32_t granule,
                                 uint32_t *count);

/* The plan that brings these points about in this order; false: it cannot be one,
 * or there is no room. */
bool hd_plan_order(struct hd_plans *out, const struct hd_plan_book *book, const uint32_t *order,
                   uint32_t count);

/* plan_block.c: orders that the trace suggests for a transaction. */
void hd_plan_block(struct hd_plans *out, const struct hd_plan_book *book, uint64_t identity);

#endif

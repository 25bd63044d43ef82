/* graph_cycle.h - a cycle of transactions, as something to report.
 *
 * A cycle visits stops: nodes, each entered by one operation and left by another.
 * Whom to blame: a transaction that is left by an operation that comes before the
 * one by which the cycle comes back to it. Something happened in the middle of it.
 * A transaction that is first come to and then left only stood in the way. Every
 * cycle has at least one of the first sort, since each edge goes forward in time. */
#ifndef HD_GRAPH_CYCLE_H
#define HD_GRAPH_CYCLE_H

#include "checkers/graph_flow.h"

struct hd_stop {
    struct hd_access in, out;
    uint32_t region; /* as it was given to hd_flow_open; HD_NO_ID if unary */
    bool unary;
    bool skips; /* nodes between this stop and the next were left out */
};

struct hd_cycle {
    uint32_t count;
    struct hd_stop stops[HD_GRAPH_LONG + 2];
};

/* The cycle that an edge closes, as reported to hd_flow.on_cycle. Stop 0 is the
 * running node that the edge comes back to. */
void hd_cycle_find(const struct hd_flow *flow, const struct hd_point *from,
                   const struct hd_access *op, hd_node to, struct hd_cycle *cycle);
bool hd_cycle_blames(const struct hd_cycle *cycle, uint32_t stop);

/* Fills in accesses, witness, pattern and why of a warning that accuses a stop.
 * The witness lies in `seqs`, of HD_CYCLE_EVENTS. */
#define HD_CYCLE_EVENTS (2 * (HD_GRAPH_LONG + 2))
void hd_cycle_tell(const struct hd_cycle *cycle, uint32_t stop, struct hd_warning *w,
                   uint64_t *seqs, char *why, size_t why_size);

#endif

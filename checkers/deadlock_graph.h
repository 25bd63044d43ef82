/* deadlock_graph.h - who took what while holding what, and the circles in it.
 *
 * deadlock.c fills the graph while the trace goes by; deadlock_cycle.c looks for
 * circles when all is known. */
#ifndef HD_DEADLOCK_GRAPH_H
#define HD_DEADLOCK_GRAPH_H

#include "checkers/checker.h"

/* Somebody took `to` while holding `from`. */
struct hd_lock_edge {
    uint32_t from, to; /* elements: lock and mode */
    uint32_t period;
    uint32_t held;     /* all that was: `from` and its guards */
    uint32_t next;     /* in its chain, plus one */
    uint16_t thread;
    bool dropped;      /* another edge with less held stands for it */
    struct hd_access took, wants;
};

struct hd_lock_graph {
    const struct hd_pass *pass;
    struct hd_locksets *locksets;
    struct hd_periods *periods;
    struct hd_lock_edge *edges;
    size_t count, room;
    uint32_t lock_count;
    uint64_t longest;  /* cycle to look for; 0: any */
    bool readers_block; /* a waiting writer may hold back readers */
};

/* Reports every cycle that can close (rules in deadlock.c). */
void hd_lock_graph_cycles(struct hd_lock_graph *graph, struct hd_warnings *out);

#endif

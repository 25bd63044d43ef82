/* graph_flow.h - from steps to edges: the part that Velodrome and SingleTrack share.
 *
 * The two differ in what a transaction is; they agree on which operations have to
 * stay in order. The owner of a flow tells it when a thread is in which running
 * node (enter, leave), and hands it every step; the flow finds the earlier
 * operations that must come before it and puts the edges in.
 *
 *   data, atomics   a write after the last write and all reads since, a read
 *                   after the last write; a read-modify-write is a write
 *   locks           an acquire after the last release (HD_FLOW_ALL); or only if
 *                   one of the two sections was held across the begin or end of a
 *                   transaction (HD_FLOW_BOUNDARY): a section within one
 *                   transaction moves with it
 *   fork, join      the child's first operation after the fork, the join after
 *                   the child's last
 *   barrier         every departure after every arrival
 *   semaphore       a P after the V that supplied its permit, first in first out
 *   condition       a wake-up after the signal that caused it: the oldest one that
 *                   came after the wait began and woke nobody else
 *   once            everybody after whoever ran the initialiser
 *
 * Only edges between neighbours are put in: no edge for a read if the thread has
 * read the variable since it was last written, and the like. The others follow,
 * and would blame a transaction for looking again at what it already knows. */
#ifndef HD_GRAPH_FLOW_H
#define HD_GRAPH_FLOW_H

#include "checkers/checker.h"
#include "checkers/graph_cell.h"

enum hd_flow_locks { HD_FLOW_ALL, HD_FLOW_BOUNDARY };

/* A lock that a thread holds, for HD_FLOW_BOUNDARY. */
struct hd_flow_section {
    struct hd_access op; /* the acquire */
    uint32_t lock;
    bool shared;
    bool across;
    hd_node alone; /* the acquire's node, kept running, if it was in no transaction */
};

struct hd_flow_thread {
    hd_node now;          /* the running node it is in, or 0 */
    struct hd_point last; /* its last operation; before the first one, its fork */
    bool seen;            /* it had an operation of its own */
    bool parts;           /* `now` is an operation outside of transactions, in several parts */
    struct hd_flow_section *sections;
    size_t section_count, section_room;
};

struct hd_flow_sync;

struct hd_flow {
    struct hd_arena *arena;
    struct hd_graph *graph;
    const struct hd_trace *trace;
    struct hd_flow_thread *threads;
    struct hd_cell *variables; /* by granule */
    struct hd_flow_sync *syncs;
    uint32_t thread_count, variable_count, sync_count, tm;
    enum hd_flow_locks locks;
    /* An edge from `from` to `op` in running node `to` closed a cycle. Mostly `to` is
     * the transaction that the thread is in; else the acquire of a lock outside of
     * any, which turned out to be held across the begin of one. */
    void (*on_cycle)(void *context, const struct hd_point *from, const struct hd_access *op,
                     uint32_t thread, hd_node to);
    void *context;
};

void hd_flow_begin(struct hd_flow *flow, const struct hd_pass *pass, enum hd_flow_locks locks);

/* The thread's transaction begins, or it is taken into a running one. */
hd_node hd_flow_open(struct hd_flow *flow, uint32_t thread, const struct hd_access *op,
                     uint32_t region);
/* The thread is in no transaction from here on. The node itself ends only if
 * `close`. `cut_off`: the trace ended inside, which is no end of a transaction. */
void hd_flow_leave(struct hd_flow *flow, uint32_t thread, bool close, bool cut_off);

/* One step that is an operation of its thread; what is none is passed over. A fork
 * does not put the child into the parent's node. */
void hd_flow_step(struct hd_flow *flow, const struct hd_step *step, const struct hd_access *op);

/* An access that is known to be ordered by synchronisation with all that conflict
 * with it: no edges, but it is remembered. */
void hd_flow_quiet(struct hd_flow *flow, const struct hd_step *step, const struct hd_access *op);

/* ---- between the parts ----------------------------------------------------- */

static inline struct hd_access hd_flow_op(const struct hd_step *step) {
    return (struct hd_access){step->seq,  step->obj, step->site,   step->function, step->held,
                              step->txn, step->thread, step->kind, step->flags};
}

/* An operation of a thread: begin, name what comes before it, end. */
static inline void hd_flow_op_begin(struct hd_flow *flow, uint32_t thread) {
    struct hd_flow_thread *t = &flow->threads[thread];
    if (!t->now) hd_graph_single(flow->graph, &t->last);
}
static inline void hd_flow_after(struct hd_flow *flow, uint32_t thread,
                                 const struct hd_point *from, const struct hd_access *op) {
    struct hd_flow_thread *t = &flow->threads[thread];
    if (!t->now) {
        hd_graph_single_after(flow->graph, from);
    } else if (hd_graph_edge(flow->graph, from, op, t->now)) {
        flow->on_cycle(flow->context, from, op, thread, t->now);
    }
}
static inline hd_node hd_flow_op_end(struct hd_flow *flow, uint32_t thread,
                                     const struct hd_access *op) {
    struct hd_flow_thread *t = &flow->threads[thread];
    hd_node node = t->now ? t->now : hd_graph_single_end(flow->graph, op);
    t->last.node = node;
    t->last.op = *op;
    t->seen = true;
    return node;
}

void hd_flow_acquire(struct hd_flow *flow, const struct hd_step *step, uint32_t lock,
                     const struct hd_access *op);
void hd_flow_release(struct hd_flow *flow, const struct hd_step *step, uint32_t lock,
                     const struct hd_access *op);
/* What a thread holds is now known to reach across an end of a transaction. */
void hd_flow_boundary(struct hd_flow *flow, uint32_t thread);
void hd_flow_sync(struct hd_flow *flow, const struct hd_step *step, const struct hd_access *op);
void hd_flow_sync_roots(struct hd_flow *flow);

/* What is kept for an object of synchronisation. */
struct hd_flow_queued {
    struct hd_point point;
    uint64_t times;
};
struct hd_flow_queue { /* semaphore: permits; condition: signals that woke nobody yet */
    struct hd_flow_queued *at;
    size_t room, first, count;
};
struct hd_flow_arrivals { /* barrier: who came in one episode */
    struct hd_point *at;
    size_t room, count;
    uint32_t episode;
};
struct hd_flow_waiter {
    uint64_t since;
    uint16_t thread;
    bool signalled;
    struct hd_point by;
};
struct hd_flow_sync {
    struct hd_cell cell;   /* lock: releases. boundary: exclusive across; all others */
    struct hd_cell *inner; /* boundary, lock with readers: [0] exclusive within one
                              transaction, [1] shared across */
    struct hd_flow_queue queue;
    struct hd_flow_arrivals arrivals[2];
    struct hd_flow_waiter *waiters;
    size_t waiter_count, waiter_room;
    uint32_t permits; /* of the start, not yet taken */
    bool counted;     /* `permits` is set */
};

#endif

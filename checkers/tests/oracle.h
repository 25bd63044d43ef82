/* oracle.h - the answers by definition, for small cases.
 *
 * The checkers are clever; this is not. It takes a handful of threads with a
 * handful of operations each, runs every interleaving that locks, fork and join
 * allow, and decides by the words of the definitions what the checkers work out
 * by theorems. It shares no code with them, only the names of the kinds of event.
 *
 * A *case* is the program: threads, each a list of operations. A *run* is one
 * interleaving of it: the threads in the order in which they took a step.
 *
 * What an operation means (kinds of sched/trace/event.def):
 *   READ, WRITE, VREAD, VWRITE, VRMW   obj: variable
 *   ACQUIRE, RELEASE   obj: lock; reentrant; `shared`: as a reader
 *   FORK, JOIN         obj: thread. A thread that somebody forks starts there
 *   BARRIER, BLEAVE    obj: barrier, arrival and departure; as many threads take
 *                      part as have it in their list
 *   POST, PEND         obj: semaphore, from `initial`
 *   BEGIN, END         obj: label; nest
 * Anything else does nothing and is always possible.
 *
 * Transactions here are the outermost BEGIN..END of one thread. Whatever is
 * outside of them is a transaction by itself. `cut` ends them at fork, join and
 * barrier (the operation is then by itself, too), as Wang and Stoller do. */
#ifndef HD_ORACLE_H
#define HD_ORACLE_H

#include "sched/trace/event.h"

#include <stdbool.h>
#include <stdint.h>

#define HD_ORACLE_THREADS 8
#define HD_ORACLE_OPS 48 /* per thread */
#define HD_ORACLE_STEPS (HD_ORACLE_THREADS * HD_ORACLE_OPS)
#define HD_ORACLE_OBJECTS 16 /* variables; locks; barriers; semaphores: of each */
#define HD_ORACLE_TXNS 24    /* what hd_oracle_conflict_atomic can handle */

struct hd_oracle_op {
    uint8_t kind;
    uint8_t obj;
    uint8_t shared;
};

struct hd_oracle_case {
    uint32_t threads;
    uint32_t count[HD_ORACLE_THREADS];
    struct hd_oracle_op op[HD_ORACLE_THREADS][HD_ORACLE_OPS];
    uint8_t initial[HD_ORACLE_OBJECTS]; /* of semaphores */
};

struct hd_oracle_run {
    uint32_t count;
    uint8_t thread[HD_ORACLE_STEPS];
    uint8_t pos[HD_ORACLE_STEPS]; /* which operation of that thread */
    bool complete;                /* false: it ended in a deadlock */
};

/* ---- chance ------------------------------------------------------------ */

/* A sequence of its own (splitmix64): same seed, same cases, on every machine. */
struct hd_oracle_rng {
    uint64_t state;
};
uint64_t hd_oracle_random(struct hd_oracle_rng *rng);
uint32_t hd_oracle_below(struct hd_oracle_rng *rng, uint32_t n); /* 0..n-1 */

/* ---- making cases (oracle_make.c) --------------------------------------- */

enum hd_oracle_locking {
    HD_ORACLE_NO_LOCKS,
    HD_ORACLE_NESTED,       /* stack order, all released before the transaction ends */
    HD_ORACLE_HAND_OVER,    /* any order, all released before the transaction ends */
    HD_ORACLE_ACROSS,       /* any order; may stay held across ends of transactions */
};

struct hd_oracle_shape {
    uint32_t threads;
    uint32_t txns;      /* per thread: 1..txns */
    uint32_t accesses;  /* per transaction: 1..accesses */
    uint32_t outside;   /* percent: chance that an operation stands outside of any */
    uint32_t variables;
    uint32_t locks;
    uint32_t guarded;   /* percent: chance to take a lock before an access */
    uint32_t writes;    /* percent */
    enum hd_oracle_locking locking;
    bool reentrant;     /* locks may be taken again by their holder */
    bool readers;       /* locks may be taken as a reader */
    bool atomics;       /* VREAD, VWRITE, VRMW, too */
    bool nested;        /* transactions may hold inner BEGIN..END */
    bool fork_inside;   /* fork and join may fall into transactions */
    uint32_t forks;     /* percent: chance that a thread is forked by an earlier one */
    uint32_t joins;     /* percent: chance that it is joined, if forked */
    uint32_t barriers;  /* 0 or 1: all threads of the start pass barrier 0 once */
    uint32_t semaphores;
};

void hd_oracle_make(struct hd_oracle_case *c, const struct hd_oracle_shape *shape,
                    struct hd_oracle_rng *rng);
/* One interleaving, each step drawn from those that are possible. */
void hd_oracle_run_random(const struct hd_oracle_case *c, struct hd_oracle_rng *rng,
                          struct hd_oracle_run *run);
/* The run as a text trace, a line a step: "T1 acq m0". Returns its length. */
uint32_t hd_oracle_text(const struct hd_oracle_case *c, const struct hd_oracle_run *run,
                        char *buffer, uint32_t size);

/* ---- one step at a time -------------------------------------------------- */

/* Where every thread stands, and what follows from that alone: who holds which
 * lock is told by the positions. Made once per case. */
struct hd_oracle_facts {
    const struct hd_oracle_case *c;
    uint16_t exclusive[HD_ORACLE_THREADS][HD_ORACLE_OPS + 1]; /* locks held, before op n */
    uint16_t shared[HD_ORACLE_THREADS][HD_ORACLE_OPS + 1];
    int forker[HD_ORACLE_THREADS]; /* -1: runs from the start */
    int forked_at[HD_ORACLE_THREADS];
    int taking_part[HD_ORACLE_OBJECTS]; /* in a barrier */
};
struct hd_oracle_state {
    uint8_t pos[HD_ORACLE_THREADS];
};
void hd_oracle_facts(const struct hd_oracle_case *c, struct hd_oracle_facts *facts);
bool hd_oracle_started(const struct hd_oracle_facts *f, const struct hd_oracle_state *s,
                       uint32_t thread);
/* The thread has a next operation and it is possible now. */
bool hd_oracle_enabled(const struct hd_oracle_facts *f, const struct hd_oracle_state *s,
                       uint32_t thread);

/* Which transaction each operation belongs to: dense numbers from 0. Returns how
 * many; `unary[n]` says whether number n is an operation outside of any. */
uint32_t hd_oracle_number(const struct hd_oracle_case *c, bool cut,
                          uint16_t txn[HD_ORACLE_THREADS][HD_ORACLE_OPS],
                          bool unary[HD_ORACLE_STEPS]);

/* ---- all interleavings (oracle_all.c) ------------------------------------ */

/* Some interleaving ends with a thread that cannot go on. */
bool hd_oracle_deadlock(const struct hd_oracle_case *c);
/* Variables (bits) with two conflicting plain accesses of different threads that
 * are both next at one moment. */
uint32_t hd_oracle_races(const struct hd_oracle_case *c);
/* At some moment both wait for a lock that the other holds. */
bool hd_oracle_deadlock_pair(const struct hd_oracle_case *c, uint32_t t, uint32_t u);

/* Every complete interleaving has the same reads-from and final writes as a
 * complete interleaving that runs its transactions one by one. */
bool hd_oracle_view_atomic(const struct hd_oracle_case *c, bool cut);
/* The same for one run. False for a run that is not complete. */
bool hd_oracle_view_serializable(const struct hd_oracle_case *c, bool cut,
                                 const struct hd_oracle_run *run);
/* Every complete interleaving has an acyclic conflict graph (data, thread order,
 * fork and join; no lock edges). Needs at most HD_ORACLE_TXNS transactions. */
bool hd_oracle_conflict_atomic(const struct hd_oracle_case *c, bool cut);
/* All complete interleavings read the same and leave the same behind. */
bool hd_oracle_deterministic(const struct hd_oracle_case *c);

/* ---- the conflict graph of one run (oracle_graph.c) ---------------------- */

enum hd_oracle_edges { HD_ORACLE_LOCKS_NONE, HD_ORACLE_LOCKS_ALL, HD_ORACLE_LOCKS_BOUNDARY };

/* What is a node: one thread's transaction; or SingleTrack's, which takes in all
 * threads that are forked inside of it. */
enum hd_oracle_nodes { HD_ORACLE_SINGLE, HD_ORACLE_SINGLE_CUT, HD_ORACLE_MULTI };

#define HD_ORACLE_NODES 256

struct hd_oracle_graph {
    uint32_t nodes;
    uint16_t node[HD_ORACLE_STEPS];  /* of each step of the run */
    bool unary[HD_ORACLE_NODES];
    bool cyclic;
    /* Transactions that are left by an event that comes before the one by which
     * the cycle comes back to them, less those that were only in the way. */
    bool victim[HD_ORACLE_NODES];
    uint32_t acquitted; /* how many were only in the way */
    /* ... and the cycle was there when they were come back to: it closed there. */
    bool closer[HD_ORACLE_NODES];
};
void hd_oracle_graph(const struct hd_oracle_case *c, const struct hd_oracle_run *run,
                     enum hd_oracle_nodes nodes, enum hd_oracle_edges locks,
                     struct hd_oracle_graph *graph);

#endif

/* deadlock.c - lock orders that can close into a circle.
 *
 * Claim: two or more threads can each hold a lock that the next one wants. The
 * trace need not deadlock; it only has to show the orders.
 *
 * State: edge a -> b: a thread took b while holding a, in which period, and all
 *        that it held. Kept once per (a, b, period, held), and of two that held
 *        comparable sets the one with the smaller.
 *
 * A warning is a cycle of edges where
 *   (1) all threads differ and all periods are pairwise concurrent;
 *   (2) no two of the threads hold what they cannot hold at once: neither a guard
 *       taken by both, nor as a guard what is the other's part of the circle. The
 *       latter makes a difference for readers only: of exclusive locks another,
 *       shorter circle remains;
 *   (3) at each lock, holder and taker are not both readers;
 *   (4) no lock occurs twice.
 * A successful trylock makes no edge to its lock (it could not have blocked), but
 * edges from it. Taking a lock back after a wait makes edges like any acquire.
 * Memory transactions make none: they do not block for good.
 *
 * Also reported: a thread that joins another while holding a lock which that one
 * takes, and a lock that is taken again where that cannot work.
 *
 * After Havelund's goodlock with the guards of Agarwal et al. and the periods of
 * Wang and Stoller; cycles of any length.
 *
 * Not seen: cycles through conditions and semaphores; locks never nested in this
 * trace. */
#include "checkers/deadlock_graph.h"

#include <stdio.h>
#include <string.h>

/* An acquire: seen once per locks held, lock and period. */
struct taking {
    uint32_t held, element, period;
    uint16_t thread;
    bool may_block;
    struct hd_access access;
};

/* A join with locks held. */
struct joining {
    uint32_t held, period, child;
    struct hd_access access;
};

struct deadlock {
    struct hd_lock_graph graph;
    struct taking *takings;
    size_t taking_count, taking_room;
    uint32_t *slots; /* open addressing over takings, index plus one */
    uint32_t slot_count;
    struct joining *joins;
    size_t join_count, join_room;
    uint32_t *chains; /* (from, to, period) -> edge plus one */
    uint32_t chain_count;
    uint32_t tm;
};

static unsigned needs(const struct hd_settings *settings) {
    (void)settings;
    return HD_NEED_PERIODS;
}

static void begin(void *state, const struct hd_pass *pass) {
    struct deadlock *d = state;
    d->graph.pass = pass;
    d->graph.locksets = hd_front_locksets(pass->front);
    d->graph.periods = hd_front_periods(pass->front);
    d->graph.lock_count = hd_front_locks(pass->front);
    d->graph.longest = hd_setting_number(pass->settings, "length");
    d->graph.readers_block = hd_setting_is(pass->settings, "readers", "block");
    d->tm = hd_front_tm(pass->front);
    d->slot_count = 1024;
    d->slots = hd_arena_array(pass->arena, d->slot_count, sizeof *d->slots);
    d->chain_count = 1024;
    d->chains = hd_arena_array(pass->arena, d->chain_count, sizeof *d->chains);
}

static uint32_t mix(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t h = a * 0x9e3779b1u ^ b * 0x85ebca77u ^ c * 0xc2b2ae3du;
    return h ^ h >> 15;
}

static void grow_slots(struct deadlock *d) {
    d->slots = hd_arena_grow(d->graph.pass->arena, d->slots, d->slot_count, d->slot_count * 2,
                             sizeof *d->slots);
    d->slot_count *= 2;
    memset(d->slots, 0, d->slot_count * sizeof *d->slots);
    for (size_t i = 0; i < d->taking_count; i++) {
        const struct taking *t = &d->takings[i];
        uint32_t h = mix(t->held, t->element * 2 + t->may_block, t->period);
        while (d->slots[h & (d->slot_count - 1)]) {
            h++;
        }
        d->slots[h & (d->slot_count - 1)] = (uint32_t)i + 1;
    }
}

/* True if this way of taking a lock is new. */
static bool fresh(struct deadlock *d, const struct hd_step *step, uint32_t element,
                  bool may_block) {
    uint32_t h = mix(step->held, element * 2 + may_block, step->period);
    for (uint32_t at; (at = d->slots[h & (d->slot_count - 1)]); h++) {
        const struct taking *t = &d->takings[at - 1];
        if (t->held == step->held && t->element == element && t->period == step->period &&
            t->may_block == may_block) {
            return false;
        }
    }
    HD_ARENA_FIT(d->graph.pass->arena, d->takings, d->taking_room, d->taking_count);
    d->takings[d->taking_count] = (struct taking){step->held,   element,   step->period,
                                                  step->thread, may_block, hd_access_of(step)};
    d->slots[h & (d->slot_count - 1)] = (uint32_t)++d->taking_count;
    if (d->taking_count * 2 > d->slot_count) {
        grow_slots(d);
    }
    return true;
}

static void grow_chains(struct deadlock *d) {
    struct hd_lock_graph *g = &d->graph;
    d->chains = hd_arena_grow(g->pass->arena, d->chains, d->chain_count, d->chain_count * 2,
                              sizeof *d->chains);
    d->chain_count *= 2;
    memset(d->chains, 0, d->chain_count * sizeof *d->chains);
    for (size_t i = 0; i < g->count; i++) {
        uint32_t *head = &d->chains[mix(g->edges[i].from, g->edges[i].to, g->edges[i].period) &
                                    (d->chain_count - 1)];
        g->edges[i].next = *head;
        *head = (uint32_t)i + 1;
    }
}

static void add_edge(struct deadlock *d, const struct hd_lock_edge *edge) {
    struct hd_lock_graph *g = &d->graph;
    uint32_t *head =
        &d->chains[mix(edge->from, edge->to, edge->period) & (d->chain_count - 1)];
    for (uint32_t at = *head; at; at = g->edges[at - 1].next) {
        struct hd_lock_edge *e = &g->edges[at - 1];
        if (e->dropped || e->from != edge->from || e->to != edge->to ||
            e->period != edge->period) {
            continue;
        }
        if (hd_lockset_subset(g->locksets, e->held, edge->held)) {
            return;
        }
        e->dropped = hd_lockset_subset(g->locksets, edge->held, e->held);
    }
    HD_ARENA_FIT(g->pass->arena, g->edges, g->room, g->count);
    g->edges[g->count] = *edge;
    g->edges[g->count].next = *head;
    *head = (uint32_t)++g->count;
    if (g->count > d->chain_count) {
        grow_chains(d);
    }
}

static void take(struct deadlock *d, const struct hd_step *step, uint32_t lock) {
    bool shared = step->kind == HD_ACQUIRE && step->flags & HD_FLAG_READ;
    uint32_t element = shared ? HD_LOCK_SHARED(lock) : HD_LOCK_EXCLUSIVE(lock);
    bool may_block = !(step->kind == HD_ACQUIRE && step->flags & HD_FLAG_TRY);
    if (!fresh(d, step, element, may_block) || !may_block) {
        return;
    }
    for (const struct hd_hold *hold = step->holds; hold; hold = hold->below) {
        if (hold->lock == d->tm) {
            continue;
        }
        struct hd_lock_edge edge = {
            .from = hold->element,
            .to = element,
            .period = step->period,
            .held = step->held,
            .thread = step->thread,
            .wants = hd_access_of(step),
            .took = {.seq = hold->seq,
                     .obj = hold->lock,
                     .site = hold->site,
                     .function = HD_NO_ID,
                     .held = hold->before,
                     .txn = HD_NO_ID,
                     .thread = step->thread,
                     .kind = HD_ACQUIRE},
        };
        edge.wants.obj = lock;
        edge.wants.kind = HD_ACQUIRE;
        add_edge(d, &edge);
    }
}

/* A lock taken again by its holder: fine if it counts, else the thread waits for itself. */
static void take_again(struct deadlock *d, const struct hd_step *step, struct hd_warnings *out) {
    const struct hd_hold *hold = step->holds;
    while (hold && hold->lock != step->obj) {
        hold = hold->below;
    }
    bool spin = hd_trace_sync(d->graph.pass->trace, step->obj)->kind == HD_SYNC_SPINLOCK;
    bool upgrade = hold && !HD_LOCK_IS_EXCLUSIVE(hold->element) && !(step->flags & HD_FLAG_READ);
    if (!hold || !(spin || upgrade) || step->flags & HD_FLAG_TRY) {
        return;
    }
    uint64_t witness[2] = {hold->seq, step->seq};
    struct hd_warning w = {
        .kind = HD_DEADLOCK,
        .key = {step->obj, HD_NO_ID},
        .variant = {hold->site, step->site},
        .region = HD_NO_ID,
        .pattern = "taken again",
        .why = spin ? "a spin lock is taken by the thread that holds it"
                    : "a lock held for reading is taken for writing by the same thread",
        .accesses = {{.seq = hold->seq,
                      .obj = hold->lock,
                      .site = hold->site,
                      .function = HD_NO_ID,
                      .held = hold->before,
                      .txn = HD_NO_ID,
                      .thread = step->thread,
                      .kind = HD_ACQUIRE},
                     hd_access_of(step)},
        .access_count = 2,
        .witness = witness,
        .witness_count = 2,
    };
    hd_warnings_add(out, &w);
}

static void steps(void *state, const struct hd_step *steps, size_t count,
                  struct hd_warnings *out) {
    struct deadlock *d = state;
    for (size_t i = 0; i < count; i++) {
        const struct hd_step *step = &steps[i];
        bool reentrant = step->marks & HD_MARK_REENTRANT;
        if (step->kind == HD_ACQUIRE) {
            if (reentrant) {
                take_again(d, step, out);
            } else {
                take(d, step, step->obj);
            }
        } else if (step->kind == HD_WAKE && !reentrant && step->acq != HD_NO_ID) {
            take(d, step, step->aux);
        } else if (step->kind == HD_JOIN && step->holds) {
            HD_ARENA_FIT(d->graph.pass->arena, d->joins, d->join_room, d->join_count);
            d->joins[d->join_count++] =
                (struct joining){step->held, step->period, step->obj, hd_access_of(step)};
        }
    }
}

/* Can the child still need `t` while it is being joined? */
static bool stuck(struct deadlock *d, const struct joining *j, const struct taking *t) {
    uint32_t lock = HD_LOCK_OF(t->element);
    struct hd_locksets *sets = d->graph.locksets;
    return t->may_block && lock != d->tm &&
           (hd_lockset_has(sets, j->held, HD_LOCK_EXCLUSIVE(lock)) ||
            (HD_LOCK_IS_EXCLUSIVE(t->element) &&
             hd_lockset_has(sets, j->held, HD_LOCK_SHARED(lock)))) &&
           hd_period_par(d->graph.periods, t->period, j->period);
}

static void report_join(const struct joining *j, const struct taking *t, struct hd_warnings *out) {
    uint64_t witness[2] = {j->access.seq, t->access.seq};
    struct hd_warning w = {
        .kind = HD_DEADLOCK,
        .key = {HD_LOCK_OF(t->element), HD_NO_ID, 1},
        .variant = {j->access.site, t->access.site},
        .region = HD_NO_ID,
        .pattern = "join under a lock",
        .why = "a thread is joined while a lock is held that it may still have to take",
        .accesses = {j->access, t->access},
        .access_count = 2,
        .witness = witness,
        .witness_count = 2,
    };
    w.accesses[1].obj = HD_LOCK_OF(t->element);
    w.accesses[1].kind = HD_ACQUIRE;
    hd_warnings_add(out, &w);
}

static void check_joins(struct deadlock *d, struct hd_warnings *out) {
    struct hd_arena *arena = d->graph.pass->arena;
    uint32_t threads = hd_trace_threads(d->graph.pass->trace);
    /* The takings of each thread, so that a join looks at its child's only. */
    uint32_t *first = hd_arena_array(arena, (size_t)threads + 1, sizeof *first);
    uint32_t *at = hd_arena_array(arena, threads, sizeof *at);
    uint32_t *list = hd_arena_array(arena, d->taking_count, sizeof *list);
    for (size_t i = 0; i < d->taking_count; i++) {
        first[d->takings[i].thread + 1]++;
    }
    for (uint32_t t = 0; t < threads; t++) {
        first[t + 1] += first[t];
    }
    for (size_t i = 0; i < d->taking_count; i++) {
        uint32_t t = d->takings[i].thread;
        list[first[t] + at[t]++] = (uint32_t)i;
    }
    for (size_t i = 0; i < d->join_count; i++) {
        const struct joining *j = &d->joins[i];
        for (uint32_t k = first[j->child]; k < first[j->child + 1]; k++) {
            if (stuck(d, j, &d->takings[list[k]])) {
                report_join(j, &d->takings[list[k]], out);
            }
        }
    }
}

static void end(void *state, struct hd_warnings *out) {
    struct deadlock *d = state;
    if (d->join_count) {
        check_joins(d, out);
    }
    hd_lock_graph_cycles(&d->graph, out);
}

static const struct hd_switch switches[] = {
    {"length", "N", "longest cycle to look for, in threads; 0: any", "0"},
    {"readers", "share|block",
     "block: a reader may have to wait for another one, because a writer waits in between",
     NULL},
    {NULL, NULL, NULL, NULL},
};

const struct hd_checker_ops hd_checker_deadlock = {
    .name = "deadlock",
    .finds = "threads that each hold a lock which the next one wants",
    .after = "Havelund (goodlock), Wang and Stoller",
    .switches = switches,
    .state_size = sizeof(struct deadlock),
    .needs = needs,
    .begin = begin,
    .steps = steps,
    .end = end,
};

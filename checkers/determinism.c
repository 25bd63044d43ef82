/* determinism.c - blocks that are meant to give the same result under every schedule.
 *
 * Claim, one of two: inside of the block (with all threads that it forks) two
 * operations conflict that could have come in the other order (CF, conflict freedom);
 * or what other threads did came in between, and no order of whole blocks explains
 * this trace (XS, external serializability). Without a warning: every trace with the
 * same commit order of blocks ends in the same state.
 *
 * After Sadowski, Freund and Flanagan's SingleTrack, and where it departs:
 *   (1) Clocks are not reset at a begin: a thread left over from an earlier block
 *       would carry larger ones, and a conflict be missed (clocks=reset shows it).
 *   (2) Barriers, semaphores, conditions, once and reader-writer locks: see
 *       determinism_cf.h and graph_flow.h. A condition is its lock's release and
 *       acquire, hence a conflict inside of a block, even with one producer and one
 *       consumer.
 *   (3) A warning for each block that contains both operations: both accesses (CF),
 *       or the one by which the cycle leaves it and the one by which it comes back (XS;
 *       inner blocks only if the cycle comes back to a block that is still running).
 *   (4) Which begins count: those that say `deterministic`; all, if the trace was not
 *       recorded from a program.
 *   (5) filter=races looks only at accesses to variables that were seen to race so
 *       far; others are just remembered. Same verdicts: what synchronisation orders
 *       has its edges, or its conflict over a lock, from there.
 *
 * State: determinism_block.h, determinism_cf.h, graph_flow.h.
 *
 * Not seen: XS speaks of this trace only; CF of what this run's control flow did. Which
 * V a P cannot do without is judged by those seen so far: a V that comes later, in a
 * thread that could have been earlier, is not thought of. */
#include "checkers/checker.h"
#include "checkers/determinism_cf.h"
#include "checkers/graph_cycle.h"
#include "checkers/race_hb.h"

#include <string.h>

struct begins { /* of a thread: which of its open begins count */
    uint8_t *counts;
    size_t room, depth;
};

struct determinism {
    struct hd_flow flow;
    struct hd_blocks blocks;
    struct hd_cf cf;
    struct hd_hb *races; /* filter=races, else NULL */
    struct hd_front *front;
    struct begins *begins;
    struct hd_warnings *out;
    bool do_cf, do_xs, all_begins;
};

static unsigned needs(const struct hd_settings *settings) {
    (void)settings;
    return 0;
}

/* ---- telling ------------------------------------------------------------------ */

/* The block of an operation travels in `txn`; outside it is nobody's business. */
static struct hd_access public(const struct hd_access *op) {
    struct hd_access shown = *op;
    shown.txn = HD_NO_ID;
    return shown;
}

static const char *conflict_pattern(const struct hd_access *a, const struct hd_access *b) {
    static const char *const names[2][2] = {{"R-R", "R-W"}, {"W-R", "W-W"}};
    if (hd_kind_is_access(a->kind)) {
        return names[hd_kind_writes(a->kind)][hd_kind_writes(b->kind)];
    }
    return b->kind == HD_PEND ? "permit" : "lock";
}

static void on_conflict(void *context, const struct hd_access *earlier,
                        const struct hd_access *now) {
    struct determinism *d = context;
    uint32_t block = hd_blocks_common(&d->blocks, earlier->txn, now->txn);
    for (; block; block = d->blocks.blocks[block].above) {
        uint32_t region = d->blocks.blocks[block].region;
        uint32_t key[HD_WARNING_KEY] = {region};
        uint32_t variant[HD_WARNING_KEY] = {now->obj, earlier->kind, now->kind, earlier->site,
                                            now->site};
        if (hd_warnings_again(d->out, HD_DETERMINISM, key, variant)) continue;
        uint64_t witness[2] = {earlier->seq, now->seq};
        struct hd_warning w = {
            .kind = HD_DETERMINISM,
            .region = region,
            .pattern = conflict_pattern(earlier, now),
            .why = now->kind == HD_PEND
                       ? "two threads of it compete for a permit: who gets it is not determined"
                   : hd_kind_is_access(now->kind)
                       ? "two threads of it access this in no determined order"
                       : "two threads of it take this lock in no determined order",
            .accesses = {public(earlier), public(now)},
            .access_count = 2,
            .witness = witness,
            .witness_count = 2,
        };
        memcpy(w.key, key, sizeof key);
        memcpy(w.variant, variant, sizeof variant);
        hd_warnings_add(d->out, &w);
    }
}

static void blame(struct determinism *d, const struct hd_cycle *cycle, uint32_t stop,
                  uint32_t region) {
    const struct hd_stop *victim = &cycle->stops[stop];
    const struct hd_stop *next = &cycle->stops[(stop + 1) % cycle->count];
    uint32_t key[HD_WARNING_KEY] = {region, 1};
    uint32_t variant[HD_WARNING_KEY] = {victim->out.obj,  victim->in.obj, victim->out.kind,
                                        victim->in.kind, next->region,   next->in.kind};
    if (hd_warnings_again(d->out, HD_DETERMINISM, key, variant)) return;
    struct hd_warning w = {.kind = HD_DETERMINISM, .region = region};
    uint64_t seqs[HD_CYCLE_EVENTS];
    char why[240];
    memcpy(w.key, key, sizeof key);
    memcpy(w.variant, variant, sizeof variant);
    hd_cycle_tell(cycle, stop, &w, seqs, why, sizeof why);
    for (uint32_t i = 0; i < w.access_count; i++) w.accesses[i] = public(&w.accesses[i]);
    hd_warnings_add(d->out, &w);
}

static void on_cycle(void *context, const struct hd_point *from, const struct hd_access *op,
                     uint32_t thread, hd_node to) {
    struct determinism *d = context;
    struct hd_txn *txn = hd_blocks_txn(&d->blocks, thread);
    if (txn->blamed) return;
    struct hd_cycle cycle;
    hd_cycle_find(&d->flow, from, op, to, &cycle);
    txn->blamed = true;
    /* Rule (3): the block that is running knows its inner ones. */
    const struct hd_stop *first = &cycle.stops[0];
    uint32_t block = hd_blocks_common(&d->blocks, first->in.txn, first->out.txn);
    for (; block && hd_cycle_blames(&cycle, 0); block = d->blocks.blocks[block].above) {
        blame(d, &cycle, 0, d->blocks.blocks[block].region);
    }
    for (uint32_t i = 1; i < cycle.count; i++) {
        if (hd_cycle_blames(&cycle, i)) blame(d, &cycle, i, cycle.stops[i].region);
    }
}

/* ---- who is in ------------------------------------------------------------------ */

static void leave(struct determinism *d, uint32_t thread) {
    if (!d->blocks.members[thread].txn) return;
    struct hd_txn *over = hd_blocks_leave(&d->blocks, thread);
    hd_flow_leave(&d->flow, thread, over != NULL, false);
    if (over) hd_blocks_free(&d->blocks, over);
}

/* What a thread does later, or whoever joins it, comes after its last event, which need
 * not be an operation: other threads of the block may have gone on in between. */
static void passed(struct determinism *d, const struct hd_step *step) {
    if (!d->flow.threads[step->thread].now) return;
    struct hd_access op = hd_flow_op(step);
    op.txn = d->blocks.members[step->thread].block;
    d->flow.threads[step->thread].last.op = op;
}

static void begin_step(struct determinism *d, const struct hd_step *step) {
    struct begins *b = &d->begins[step->thread];
    bool counts = d->all_begins || step->flags & HD_FLAG_DETERMINISTIC;
    HD_ARENA_FIT(d->flow.arena, b->counts, b->room, b->depth);
    b->counts[b->depth++] = counts;
    passed(d, step);
    if (!counts) return;
    uint32_t region = hd_front_region_of(d->front, step->obj, step->site);
    if (!hd_blocks_open(&d->blocks, step->thread, region)) return;
    struct hd_access op = hd_flow_op(step);
    op.txn = d->blocks.members[step->thread].block;
    hd_blocks_txn(&d->blocks, step->thread)->node =
        hd_flow_open(&d->flow, step->thread, &op, region);
    hd_cf_open(&d->cf, step->thread);
}

static void end_step(struct determinism *d, const struct hd_step *step) {
    struct begins *b = &d->begins[step->thread];
    passed(d, step);
    if (!b->depth || !b->counts[--b->depth]) return;
    if (hd_blocks_close(&d->blocks, step->thread)) leave(d, step->thread);
}

/* Fork and join change who is in, after they were operations themselves. */
static void fork_step(struct determinism *d, const struct hd_step *step) {
    uint32_t child = step->obj;
    hd_blocks_fork(&d->blocks, step->thread, child);
    struct hd_txn *txn = hd_blocks_txn(&d->blocks, child);
    if (txn && !d->flow.threads[child].now) d->flow.threads[child].now = txn->node;
}

static void begin(void *state, const struct hd_pass *pass) {
    struct determinism *d = state;
    hd_flow_begin(&d->flow, pass, HD_FLOW_ALL);
    d->flow.on_cycle = on_cycle;
    d->flow.context = d;
    d->front = pass->front;
    hd_blocks_begin(&d->blocks, pass->arena, d->flow.thread_count);
    hd_cf_begin(&d->cf, pass, &d->blocks);
    d->cf.on_conflict = on_conflict;
    d->cf.context = d;
    d->cf.reset = hd_setting_is(pass->settings, "clocks", "reset");
    d->begins = hd_arena_array(pass->arena, d->flow.thread_count, sizeof *d->begins);
    d->all_begins = hd_trace_modules(pass->trace) == 0; /* rule (4) */
    d->do_cf = !hd_setting_is(pass->settings, "property", "xs");
    d->do_xs = !hd_setting_is(pass->settings, "property", "cf");
    if (hd_setting_is(pass->settings, "filter", "races")) d->races = hd_hb_new(pass);
}

static void operation(struct determinism *d, const struct hd_step *step) {
    struct hd_access op = hd_flow_op(step);
    op.txn = d->blocks.members[step->thread].block;
    if (d->races) {
        hd_hb_steps(d->races, step, 1, NULL, NULL);
        if (hd_kind_is_plain(step->kind) && !hd_hb_racy(d->races, step->obj)) { /* rule (5) */
            if (d->do_cf) hd_cf_quiet(&d->cf, step, &op);
            if (d->do_xs) hd_flow_quiet(&d->flow, step, &op);
            return;
        }
    }
    if (d->do_cf) hd_cf_step(&d->cf, step, &op);
    if (d->do_xs) hd_flow_step(&d->flow, step, &op);
}

static void steps(void *state, const struct hd_step *steps, size_t count,
                  struct hd_warnings *out) {
    struct determinism *d = state;
    d->out = out;
    for (size_t i = 0; i < count; i++) {
        const struct hd_step *step = &steps[i];
        switch (step->kind) {
        case HD_BEGIN: begin_step(d, step); break;
        case HD_END: end_step(d, step); break;
        case HD_FORK:
            operation(d, step);
            fork_step(d, step);
            break;
        case HD_JOIN:
            operation(d, step);
            leave(d, step->obj);
            break;
        case HD_STOP:
            passed(d, step);
            leave(d, step->thread);
            break;
        default: operation(d, step);
        }
    }
}

static const struct hd_switch switches[] = {
    {"property", "both|cf|xs", "conflict freedom, external serializability", NULL},
    {"filter", "none|races", "races: pass over accesses to variables without a race", NULL},
    {"clocks", "grow|reset", "reset: as printed, and misses conflicts", NULL},
    {NULL, NULL, NULL, NULL},
};

const struct hd_checker_ops hd_checker_determinism = {
    .name = "determinism",
    .finds = "blocks whose result depends on the schedule",
    .after = "Sadowski, Freund, Flanagan: SingleTrack",
    .switches = switches,
    .state_size = sizeof(struct determinism),
    .needs = needs,
    .begin = begin,
    .steps = steps,
};

/* velodrome.c - is the trace that was observed serializable?
 *
 * Claim: no serial order of the transactions keeps the order of all conflicting
 * operations of this trace. Exact: there is a warning iff the conflict graph of the
 * trace has a cycle, and each warning shows one. Nothing is predicted.
 *
 * After Flanagan, Freund and Yi's Velodrome, with another graph (graph.h) and with
 * these switches:
 *   lock-edges=all       an acquire comes after the last release, as in the paper
 *   lock-edges=boundary  only if one of the two sections of the lock was held
 *                        across the begin or end of a transaction. This is the
 *                        measure of a confirmation; judge.h is the same decision
 *                        inside the program under test, and is asked here, too,
 *                        about a short trace with a cycle (velodrome_again.h)
 *   cut=on|off           off: transactions are begin..end as written, and forks and
 *                        joins in them count against them
 *
 * Rules:
 *   (1) A cycle is found when its last edge comes. Blamed are all transactions on
 *       it that are left before they are come back to (graph_cycle.h): always the
 *       one that was running, if the edge belongs to what it does just then.
 *   (2) An instance that was running is blamed once, by the first cycle.
 *   (3) Operations outside of transactions take part and are never blamed.
 *
 * State: graph_flow.h. Memory follows threads, variables and locks, not events.
 *
 * Not seen: what another order of the same transactions would do (blocks predicts
 * that). With lock-edges=all, and in a long trace: when several cycles meet, a
 * transaction that ended before the last edge came is blamed only if it is on the
 * cycle that is shown. */
#include "checkers/checker.h"
#include "checkers/graph_cycle.h"
#include "checkers/velodrome_again.h"

#include <string.h>

struct thread {
    uint32_t depth; /* cut=off: begins that are open */
    bool blamed;    /* rule (2) */
};

struct velodrome {
    struct hd_flow flow;
    struct hd_front *front;
    struct thread *threads;
    struct hd_warnings *out;
    struct hd_notes *notes;
    struct hd_again again;
    bool *accused; /* by region: there is a warning */
    size_t accused_room;
    bool cut, boundary, cyclic;
};

static unsigned needs(const struct hd_settings *settings) {
    (void)settings;
    return HD_NEED_TRANSACTIONS;
}

static void blame(struct velodrome *v, const struct hd_cycle *cycle, uint32_t stop) {
    const struct hd_stop *victim = &cycle->stops[stop];
    const struct hd_stop *next = &cycle->stops[(stop + 1) % cycle->count];
    struct hd_warning w = {.kind = HD_ATOMICITY, .region = victim->region};
    uint32_t key[HD_WARNING_KEY] = {victim->region, !v->cut};
    uint32_t variant[HD_WARNING_KEY] = {victim->out.obj,  victim->in.obj, victim->out.kind,
                                        victim->in.kind, next->region,   next->in.kind};
    if (victim->region != HD_NO_ID) {
        HD_ARENA_FIT(v->flow.arena, v->accused, v->accused_room, victim->region);
        v->accused[victim->region] = true;
    }
    if (hd_warnings_again(v->out, HD_ATOMICITY, key, variant)) return;
    uint64_t seqs[HD_CYCLE_EVENTS];
    char why[240];
    memcpy(w.key, key, sizeof key);
    memcpy(w.variant, variant, sizeof variant);
    hd_cycle_tell(cycle, stop, &w, seqs, why, sizeof why);
    hd_warnings_add(v->out, &w);
}

static void on_cycle(void *context, const struct hd_point *from, const struct hd_access *op,
                     uint32_t thread, hd_node to) {
    struct velodrome *v = context;
    struct thread *t = &v->threads[thread];
    bool running = to == v->flow.threads[thread].now;
    v->cyclic = true;
    if (running && t->blamed) return;
    struct hd_cycle cycle;
    hd_cycle_find(&v->flow, from, op, to, &cycle);
    if (running) t->blamed = hd_cycle_blames(&cycle, 0);
    for (uint32_t i = 0; i < cycle.count; i++) {
        if (hd_cycle_blames(&cycle, i)) blame(v, &cycle, i);
    }
}

static void begin(void *state, const struct hd_pass *pass) {
    struct velodrome *v = state;
    bool all = hd_setting_is(pass->settings, "lock-edges", "all");
    hd_flow_begin(&v->flow, pass, all ? HD_FLOW_ALL : HD_FLOW_BOUNDARY);
    hd_again_begin(&v->again, pass);
    v->boundary = !all;
    v->notes = pass->notes;
    v->flow.on_cycle = on_cycle;
    v->flow.context = v;
    v->front = pass->front;
    v->cut = hd_setting_is(pass->settings, "cut", "on");
    v->threads = hd_arena_array(pass->arena, v->flow.thread_count, sizeof *v->threads);
}

static void open_node(struct velodrome *v, const struct hd_step *step, uint32_t region) {
    struct thread *t = &v->threads[step->thread];
    struct hd_access op = hd_flow_op(step);
    op.kind = HD_BEGIN;
    t->blamed = false;
    hd_flow_open(&v->flow, step->thread, &op, region);
}

/* cut=off: true if the step was the begin or end of a region. */
static bool whole(struct velodrome *v, const struct hd_step *step) {
    struct thread *t = &v->threads[step->thread];
    switch (step->kind) {
    case HD_BEGIN:
        if (t->depth++ == 0) {
            open_node(v, step, hd_front_region_of(v->front, step->obj, step->site));
        }
        return true;
    case HD_END:
        if (t->depth && --t->depth == 0) hd_flow_leave(&v->flow, step->thread, true, false);
        return true;
    case HD_STEP_OPEN:
    case HD_STEP_CLOSE: return true;
    default: return false;
    }
}

static void steps(void *state, const struct hd_step *steps, size_t count,
                  struct hd_warnings *out) {
    struct velodrome *v = state;
    v->out = out;
    for (size_t i = 0; i < count; i++) {
        const struct hd_step *step = &steps[i];
        if (v->boundary) hd_again_note(&v->again, step);
        if (!v->cut) {
            if (whole(v, step)) continue;
        } else if (step->kind == HD_STEP_OPEN) {
            open_node(v, step, step->region);
            continue;
        } else if (step->kind == HD_STEP_CLOSE) {
            hd_flow_leave(&v->flow, step->thread, true, step->marks & HD_MARK_INCOMPLETE);
            continue;
        }
        struct hd_access op = hd_flow_op(step);
        hd_flow_step(&v->flow, step, &op);
    }
}

static bool not_yet(void *context, uint64_t region) {
    const struct velodrome *v = context;
    return region >= v->accused_room || !v->accused[region];
}

static void blame_late(void *context, const struct hd_cycle *cycle) { blame(context, cycle, 0); }

static void end(void *state, struct hd_warnings *out) {
    struct velodrome *v = state;
    v->out = out;
    if (!v->boundary || !v->cut || !v->cyclic) return;
    if (!v->again.over) hd_again_decide(&v->again, not_yet, blame_late, v);
    if (v->again.over) {
        hd_note(v->notes, "velodrome: a long trace with cycles; a transaction that was over "
                          "when a cycle closed may go without blame");
    }
}

static const struct hd_switch switches[] = {
    {"lock-edges", "all|boundary", "which releases an acquire must follow", NULL},
    {"cut", "on|off", "fork, join and barrier end a transaction", NULL},
    {NULL, NULL, NULL, NULL},
};

const struct hd_checker_ops hd_checker_velodrome = {
    .name = "velodrome",
    .finds = "transactions that were not serializable in this trace",
    .after = "Flanagan, Freund, Yi: Velodrome",
    .switches = switches,
    .state_size = sizeof(struct velodrome),
    .needs = needs,
    .begin = begin,
    .steps = steps,
    .end = end,
};

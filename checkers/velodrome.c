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
 *                        measure of a confirmation: whether there is a cycle is
 *                        found here, whom it accuses is left to the judge
 *                        (judge.h), who hears a short trace once more
 *                        (velodrome_again.h)
 *   cut=on|off           off: transactions are begin..end as written, and forks and
 *                        joins in them count against them
 *
 * Rules:
 *   (1) A cycle is found when its last edge comes. Blamed are all transactions on
 *       it that are left before they are come back to (graph_cycle.h): always the
 *       one that was running, if the edge belongs to what it does just then.
 *   (2) An instance that was running is blamed once, by the first cycle.
 *   (3) Operations outside of transactions take part and are never blamed.
 *   (4) Of a trace that is too long for the judge, only cycles that pass all others
 *       forward are believed: those surely accuse the right one.
 *
 * State: graph_flow.h. Memory follows threads, variables and locks, not events.
 *
 * Not seen: what another order of the same transactions would do (blocks predicts
 * that). With lock-edges=all: when several cycles meet, a transaction that ended
 * before the last edge came is blamed only if it is on the cycle that is shown. */
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
    struct hd_cycle **believed; /* by region, stop 0 accused: rule (4) */
    size_t believed_room;
    bool cut, judged, cyclic; /* judged: the judge is asked at the end */
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
    if (hd_warnings_again(v->out, HD_ATOMICITY, key, variant)) return;
    uint64_t seqs[HD_CYCLE_EVENTS];
    char why[240];
    memcpy(w.key, key, sizeof key);
    memcpy(w.variant, variant, sizeof variant);
    hd_cycle_tell(cycle, stop, &w, seqs, why, sizeof why);
    hd_warnings_add(v->out, &w);
}

/* The first cycle that surely accuses this stop, in case the trace is a long one. */
static void believe(struct velodrome *v, const struct hd_cycle *cycle, uint32_t stop) {
    uint32_t region = cycle->stops[stop].region;
    if (region == HD_NO_ID) return;
    HD_ARENA_FIT(v->flow.arena, v->believed, v->believed_room, region);
    if (v->believed[region]) return;
    for (uint32_t i = 0; i < cycle->count; i++) {
        if (i != stop && hd_cycle_blames(cycle, i)) return;
    }
    struct hd_cycle *kept = hd_arena_get(v->flow.arena, sizeof *kept);
    kept->count = cycle->count;
    for (uint32_t i = 0; i < cycle->count; i++) {
        kept->stops[i] = cycle->stops[(stop + i) % cycle->count];
    }
    v->believed[region] = kept;
}

static void on_cycle(void *context, const struct hd_point *from, const struct hd_access *op,
                     uint32_t thread, hd_node to) {
    struct velodrome *v = context;
    struct thread *t = &v->threads[thread];
    bool running = to == v->flow.threads[thread].now && !v->flow.threads[thread].parts;
    v->cyclic = true;
    if (running && t->blamed) return;
    struct hd_cycle cycle;
    hd_cycle_find(&v->flow, from, op, to, &cycle);
    if (running) t->blamed = hd_cycle_blames(&cycle, 0);
    for (uint32_t i = 0; i < cycle.count; i++) {
        if (!hd_cycle_blames(&cycle, i)) continue;
        if (v->judged) believe(v, &cycle, i);
        else blame(v, &cycle, i);
    }
}

static void begin(void *state, const struct hd_pass *pass) {
    struct velodrome *v = state;
    bool all = hd_setting_is(pass->settings, "lock-edges", "all");
    hd_flow_begin(&v->flow, pass, all ? HD_FLOW_ALL : HD_FLOW_BOUNDARY);
    hd_again_begin(&v->again, pass);
    v->notes = pass->notes;
    v->flow.on_cycle = on_cycle;
    v->flow.context = v;
    v->front = pass->front;
    v->cut = hd_setting_is(pass->settings, "cut", "on");
    v->judged = v->cut && !all;
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
        if (v->judged) hd_again_note(&v->again, step);
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

static void blame_judged(void *context, const struct hd_cycle *cycle) { blame(context, cycle, 0); }

static void end(void *state, struct hd_warnings *out) {
    struct velodrome *v = state;
    v->out = out;
    if (!v->judged || !v->cyclic) return;
    if (!v->again.over) hd_again_decide(&v->again, blame_judged, v);
    if (!v->again.over) return;
    hd_note(v->notes, HD_AGAIN_UNSURE);
    for (size_t i = 0; i < v->believed_room; i++) {
        if (v->believed[i]) blame(v, v->believed[i], 0);
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

/* guards.c - lock disciplines that were declared, checked where they apply.
 *
 * Claim: a variable that was declared to be guarded by a lock is accessed without it,
 * or a function that requires a lock was entered without it. No prediction: this
 * execution did it.
 *   (1) A declaration counts from where it stands. Of several for one variable the
 *       last one counts, and a note says so.
 *   (2) A write needs the lock in write mode, a read in either.
 *   (3) Before other threads can reach a variable nothing is required.
 *
 * After Flanagan and Freund's rccjava, as Zhou surveys it; dynamic, so exact for
 * what was executed and silent about the rest. */
#include "checkers/checker.h"

#include <stdio.h>

struct guards {
    const struct hd_pass *pass;
    struct hd_locksets *locksets;
    uint32_t *lock; /* of a granule, plus one; 0: none. NULL: nothing was declared yet */
};

static unsigned needs(const struct hd_settings *settings) { return HD_NEED_ESCAPE; }

static void begin(void *state, const struct hd_pass *pass) {
    struct guards *g = state;
    g->pass = pass;
    g->locksets = hd_front_locksets(pass->front);
}

static void declare(struct guards *g, const struct hd_step *step) {
    const struct hd_trace *trace = g->pass->trace;
    uint32_t count;
    if (!g->lock) {
        g->lock = hd_arena_array(g->pass->arena, hd_trace_granules(trace), sizeof *g->lock);
    }
    if (step->obj >= hd_trace_variables(trace) || step->aux == HD_NO_ID) {
        return;
    }
    const uint32_t *granules = hd_trace_variable_granules(trace, step->obj, &count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *lock = &g->lock[granules[i]];
        if (*lock && *lock != step->aux + 1) {
            char name[200];
            hd_note(g->pass->notes, "%s is declared to be guarded by several locks; the last one counts",
                    hd_trace_variable_name(trace, step->obj, name, sizeof name));
        }
        *lock = step->aux + 1;
    }
}

static void accuse(struct guards *g, const struct hd_step *step, uint32_t lock,
                   const char *pattern, struct hd_warnings *out) {
    struct hd_warning w = {
        .kind = HD_GUARD,
        .key = {lock, step->kind == HD_REQUIRES ? HD_NO_ID : step->obj,
                step->site != HD_NO_ID ? step->site : step->function, step->kind},
        .region = HD_NO_ID,
        .pattern = pattern,
        .access_count = 1,
    };
    if (hd_warnings_again(out, w.kind, w.key, w.variant)) {
        return;
    }
    char name[200], why[300];
    snprintf(why, sizeof why, "%.200s is declared to be needed here and is not held%s",
             hd_front_lock_name(g->pass->front, lock, name, sizeof name),
             hd_lockset_has_lock(g->locksets, step->held, lock) ? " for writing" : "");
    w.accesses[0] = hd_access_of(step);
    w.witness = &step->seq;
    w.witness_count = 1;
    w.why = why;
    hd_warnings_add(out, &w);
}

static void steps(void *state, const struct hd_step *steps, size_t count,
                  struct hd_warnings *out) {
    struct guards *g = state;
    for (size_t i = 0; i < count; i++) {
        const struct hd_step *step = &steps[i];
        if (step->kind == HD_GUARDED) {
            declare(g, step);
        } else if (step->kind == HD_REQUIRES) {
            if (!hd_lockset_has_lock(g->locksets, step->held, step->obj)) {
                accuse(g, step, step->obj, "requires", out);
            }
        } else if (g->lock && hd_kind_is_access(step->kind) && g->lock[step->obj] &&
                   step->marks & HD_MARK_ESCAPED) {
            uint32_t lock = g->lock[step->obj] - 1;
            bool held = hd_kind_writes(step->kind)
                            ? hd_lockset_has(g->locksets, step->held, HD_LOCK_EXCLUSIVE(lock))
                            : hd_lockset_has_lock(g->locksets, step->held, lock);
            if (!held) {
                accuse(g, step, lock, "unguarded", out);
            }
        }
    }
}

const struct hd_checker_ops hd_checker_guards = {
    .name = "guards",
    .finds = "accesses that break a declared lock discipline",
    .after = "Flanagan and Freund, rccjava",
    .state_size = sizeof(struct guards),
    .needs = needs,
    .begin = begin,
    .steps = steps,
};

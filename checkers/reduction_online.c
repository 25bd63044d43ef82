/* reduction_online.c - the same idea in one pass, by what is known so far.
 *
 * Claim: as reduction.c's, but a lock or a variable that looked harmless when the
 * transaction used it is taken for harmless for good. Kept for comparison, and
 * for traces that never end.
 *
 * After Flanagan and Freund's Atomizer, as Wang and Stoller ran it (section 8):
 * locksets of von Praun and Gross (race=vpg; Atomizer's own are race=ff), theorem
 * 1, the both-mover rules for locks, neither escape nor happen-before analysis.
 *
 * State:  phase[t]   before or after the commit point of thread t's transaction
 *         classes    what is known of locks and variables so far
 *
 * Rules:
 *   (1) R and N after the commit point break the pattern; N and L are one.
 *   (2) After the first breach the rest of the instance is not looked at.
 *
 * Not seen: what later events reveal about earlier ones. */
#include "checkers/reduction_class.h"

#include <string.h>

struct open {
    bool going; /* a transaction is open, and has not been reported */
    bool committed;
    char commit_class;
    struct hd_access commit;
};

struct online {
    struct hd_pass pass;
    struct hd_reduction_classes classes;
    struct open *threads;
};

static const struct hd_switch switches[] = {
    {"race", "vpg|ff", "locksets of von Praun and Gross, or of Flanagan and Freund",
     NULL},
    {"lock-rules", "on|off",
     "reentrant, thread-local and protected locks are both-movers", NULL},
    {NULL, NULL, NULL, NULL},
};

static const char *detector_of(const struct hd_settings *settings) {
    return hd_setting_is(settings, "race", "ff") ? "flanagan-freund" : "praun-gross";
}

static unsigned needs(const struct hd_settings *settings) {
    return HD_NEED_TRANSACTIONS | hd_detector_needs(detector_of(settings));
}

static void begin(void *state, const struct hd_pass *pass) {
    struct online *self = state;
    self->pass = *pass;
    hd_reduction_classes_init(&self->classes, pass, detector_of(pass->settings),
                              hd_setting_is(pass->settings, "lock-rules", "on"), false);
    self->threads = hd_arena_array(pass->arena, hd_trace_threads(pass->trace) + 1u,
                                   sizeof *self->threads);
}

static void report(const struct open *t, const struct hd_step *step, uint32_t obj,
                   char class, struct hd_warnings *out) {
    struct hd_warning w = {
        .kind = HD_ATOMICITY, .region = step->region, .key = {step->region}};
    w.accesses[0] = t->commit;
    w.accesses[1] = hd_access_of(step);
    w.accesses[1].obj = obj;
    w.access_count = 2;
    for (int i = 0; i < 2; i++) {
        w.variant[i * 3] = w.accesses[i].site;
        w.variant[i * 3 + 1] = w.accesses[i].obj;
        w.variant[i * 3 + 2] = w.accesses[i].kind;
    }
    if (hd_warnings_again(out, w.kind, w.key, w.variant)) return;
    char pattern[4] = {t->commit_class, '-', class, '\0'};
    uint64_t witness[2] = {w.accesses[0].seq, w.accesses[1].seq};
    w.pattern = pattern;
    w.why = class == 'R' ? "a lock is acquired after the transaction committed"
                         : "an access that races comes after the transaction committed";
    w.witness = witness;
    w.witness_count = 2;
    hd_warnings_add(out, &w);
}

/* An event of an open transaction, and how it moves. */
static void take(struct open *t, const struct hd_step *step, uint32_t obj, char class,
                 struct hd_warnings *out) {
    if (t->committed && class != 'L') {
        report(t, step, obj, class, out);
        t->going = false;
    } else if (!t->committed && class != 'R') {
        t->committed = true;
        t->commit_class = class;
        t->commit = hd_access_of(step);
        t->commit.obj = obj;
    }
}

static void steps(void *state, const struct hd_step *steps, size_t count,
                  struct hd_warnings *out) {
    struct online *self = state;
    struct hd_reduction_op op;
    for (size_t i = 0; i < count; i++) {
        const struct hd_step *step = &steps[i];
        struct open *t = &self->threads[step->thread];
        if (hd_kind_is_access(step->kind)) {
            bool racy = hd_reduction_access(&self->classes, step);
            if (t->going && (racy || !hd_kind_is_plain(step->kind))) {
                take(t, step, step->obj, 'N', out);
            }
        } else if (step->kind == HD_STEP_OPEN) {
            memset(t, 0, sizeof *t);
            t->going = true;
        } else if (step->kind == HD_STEP_CLOSE) {
            t->going = false;
        } else if (hd_reduction_op_of(&self->pass, step, &op)) {
            bool inner = step->marks & HD_MARK_REENTRANT;
            if (!inner) hd_reduction_lock(&self->classes, step, &op);
            if (!t->going || (inner && self->classes.lock_rules)) continue;
            if (hd_reduction_lock_moves(&self->classes, op.lock)) continue;
            take(t, step, op.lock, op.release ? 'L' : 'R', out);
        }
    }
}

const struct hd_checker_ops hd_checker_reduction_online = {
    .name = "reduction-online",
    .finds = "the same as reduction, by what is known when each event happens",
    .after = "Flanagan and Freund, Atomizer",
    .switches = switches,
    .state_size = sizeof(struct online),
    .needs = needs,
    .begin = begin,
    .steps = steps,
};

/* reduction.c - transactions that do not fit right movers, one step, left movers.
 *
 * Claim: the transaction cannot be shown to be atomic by moving its events
 * together: after the step that commits it comes one that can only be moved
 * backwards, or a second that cannot be moved at all. A reason for doubt, not
 * proof: the converse does not hold, and no partner is named.
 *
 * After Wang and Stoller, "Runtime Analysis of Atomicity for Multithreaded
 * Programs", section 5; `options` are the cumulative columns of its table 2.
 * Departures: at most one non-mover (the print says N*); regions of theorem 2 may
 * nest; locks need not.
 *
 * State:  builder[t]  the string of tokens of thread t's open transaction
 *         classes     what is known of locks and variables (reduction_class.h)
 *         shapes      distinct strings that match so far (reduction_shape.h)
 *
 * Rules:
 *   (1) A verdict holds for the whole trace: strings are judged again at the end.
 *   (2) Since classes only get worse, a string that breaks the pattern when its
 *       transaction ends is reported at once and not kept.
 *   (3) One warning per transaction's code; where it breaks makes a variant.
 *
 * Not seen: whether the locks involved can deadlock, which the theorem excludes. */
#include "checkers/reduction_build.h"

/* Distinct strings kept; some 400 bytes each. Later ones are judged by what is
 * known when they end; that is final too unless something gets worse afterwards,
 * and then a note says so. */
#define SHAPES_MAX (UINT32_C(1) << 21)

struct reduction {
    struct hd_pass pass;
    struct hd_reduction_classes classes;
    struct hd_reduction_shapes shapes;
    struct hd_reduction_scratch scratch;
    struct hd_reduction_builder *builders; /* by thread */
    bool theorem2;
    uint64_t hasty;         /* judged before the end of the trace: so many, */
    uint64_t hasty_changes; /* with so many changes of classes before the first */
};

static const struct hd_switch switches[] = {
    {"options", "acqrel|none|escape|happen-before|multilockset",
     "how much is used: the columns of the paper's table 2, each with those before it",
     NULL},
    {"lock-rules", "on|off",
     "reentrant, thread-local and protected locks are both-movers", NULL},
    {NULL, NULL, NULL, NULL},
};

struct column {
    const char *name, *detector;
    bool escape, theorem2;
};

static const struct column columns[] = {
    {"none", "praun-gross", false, false},
    {"escape", "eraser", true, false},
    {"happen-before", "eraser-periods", true, false},
    {"multilockset", "multilockset", true, false},
    {"acqrel", "multilockset", true, true},
};

static const struct column *column_of(const struct hd_settings *settings) {
    size_t i = 0;
    while (i + 1 < sizeof columns / sizeof *columns &&
           !hd_setting_is(settings, "options", columns[i].name)) {
        i++;
    }
    return &columns[i];
}

static unsigned needs(const struct hd_settings *settings) {
    const struct column *column = column_of(settings);
    return HD_NEED_TRANSACTIONS | hd_detector_needs(column->detector) |
           (column->escape ? HD_NEED_ESCAPE : 0u);
}

static void begin(void *state, const struct hd_pass *pass) {
    struct reduction *self = state;
    const struct column *column = column_of(pass->settings);
    self->pass = *pass;
    self->theorem2 = column->theorem2;
    hd_reduction_classes_init(&self->classes, pass, column->detector,
                              hd_setting_is(pass->settings, "lock-rules", "on"),
                              column->escape);
    hd_reduction_shapes_init(&self->shapes, pass->arena);
    self->builders = hd_arena_array(pass->arena, hd_trace_threads(pass->trace) + 1u,
                                    sizeof *self->builders);
}

/* ---- reports ----------------------------------------------------------- */

static void add_access(struct hd_warning *w, const struct hd_reduction_shape *shape,
                       uint32_t place) {
    const struct hd_reduction_sample *sample = &shape->samples[place];
    w->accesses[w->access_count++] = (struct hd_access){
        .seq = shape->seq + sample->later,
        .obj = HD_REDUCTION_OBJ(shape->tokens[place]),
        .site = sample->site,
        .function = sample->function,
        .held = sample->held,
        .txn = shape->txn,
        .thread = shape->thread,
        .kind = sample->kind,
        .flags = sample->flags,
    };
}

static const char *why_of(const struct hd_reduction_breach *breach) {
    if (breach->offender_class == 'R') {
        return breach->commit_class == 'L'
                   ? "a lock is acquired after one was released"
                   : "a lock is acquired after an access that races";
    }
    return breach->commit_class == 'L'
               ? "an access that races comes after a lock was released"
               : "two accesses race";
}

static void report(const struct hd_reduction_shape *shape,
                   const struct hd_reduction_breach *breach, struct hd_warnings *out) {
    struct hd_warning w = {.kind = HD_ATOMICITY,
                           .region = shape->region,
                           .key = {shape->region},
                           .incomplete = shape->incomplete,
                           .why = why_of(breach)};
    add_access(&w, shape, breach->commit);
    add_access(&w, shape, breach->offender);
    for (int i = 0; i < 2; i++) {
        w.variant[i * 3] = w.accesses[i].site;
        w.variant[i * 3 + 1] = w.accesses[i].obj;
        w.variant[i * 3 + 2] = w.accesses[i].kind;
    }
    if (hd_warnings_again(out, w.kind, w.key, w.variant)) return;
    char pattern[4] = {breach->commit_class, '-', breach->offender_class, '\0'};
    uint64_t witness[2] = {w.accesses[0].seq, w.accesses[1].seq};
    w.pattern = pattern;
    w.witness = witness;
    w.witness_count = 2;
    hd_warnings_add(out, &w);
}

/* ---- transactions ------------------------------------------------------ */

static bool matches(struct reduction *self, const struct hd_reduction_shape *shape,
                    struct hd_reduction_breach *breach) {
    hd_reduction_classify(&self->classes, shape, self->theorem2, self->pass.arena,
                          &self->scratch);
    return hd_reduction_matches(shape, &self->scratch, breach);
}

static void judge(struct reduction *self, const struct hd_reduction_shape *shape,
                  struct hd_warnings *out) {
    if (shape->count < 2) return; /* matches, whatever happens */
    uint32_t slot;
    if (hd_reduction_shape_is_known(&self->shapes, shape, &slot)) return;
    struct hd_reduction_breach breach;
    if (!matches(self, shape, &breach)) {
        report(shape, &breach, out);
    } else if (self->shapes.count < SHAPES_MAX) {
        hd_reduction_shape_keep(&self->shapes, shape, slot);
    } else if (!self->hasty++) {
        self->hasty_changes = self->classes.changes;
    }
}

static void steps(void *state, const struct hd_step *steps, size_t count,
                  struct hd_warnings *out) {
    struct reduction *self = state;
    for (size_t i = 0; i < count; i++) {
        struct hd_reduction_builder *b = &self->builders[steps[i].thread];
        if (hd_reduction_build(b, &self->classes, &self->pass, &steps[i])) {
            judge(self, &b->shape, out);
        }
    }
}

static void end(void *state, struct hd_warnings *out) {
    struct reduction *self = state;
    struct hd_reduction_breach breach;
    for (uint32_t i = 0; i < self->shapes.count; i++) {
        const struct hd_reduction_shape *shape = &self->shapes.shapes[i];
        if (!matches(self, shape, &breach)) report(shape, &breach, out);
    }
    if (self->hasty && self->hasty_changes != self->classes.changes) {
        hd_note(
            self->pass.notes,
            "reduction: %llu transactions were judged by what was known when they ended: "
            "too many distinct ones",
            (unsigned long long)self->hasty);
    }
}

const struct hd_checker_ops hd_checker_reduction = {
    .name = "reduction",
    .finds = "transactions that do not fit right movers, at most one step, left movers",
    .after = "Wang and Stoller, Runtime Analysis of Atomicity for Multithreaded Programs",
    .switches = switches,
    .state_size = sizeof(struct reduction),
    .needs = needs,
    .begin = begin,
    .steps = steps,
    .end = end,
};

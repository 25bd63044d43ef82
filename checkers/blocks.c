/* blocks.c - transactions that no serial order explains, predicted from pairs of
 * accesses.
 *
 * Claim: the accesses shown can happen in the order shown, and then the flagged
 * transaction is not atomic. The trace need not show it; it only has to show the
 * transactions, in any order.
 *
 * After Wang and Stoller, "Runtime Analysis of Atomicity for Multithreaded
 * Programs", section 6. theorem=3 looks at one variable at a time, theorem=4 at
 * two transactions at a time, theorem=5 also at cycles through three or more
 * (blocks_cycle.h). Departures: pattern 1 asks for an initial read
 * (pattern1=printed is the paper's); locks need not nest (lock-test=gap, or graph
 * for an exact answer); a write before publication counts at the publication
 * (publish=off: the paper's); theorem 5 leaves pattern 4 to its second condition.
 *
 * State:  builder[t]   what the open transaction of thread t has done (blocks_build.h)
 *         store        every distinct block and the periods it was seen in
 *
 * Rules:
 *   (1) Who contributes the two outer accesses is accused; one that encloses
 *       nothing, or is in no transaction, never.
 *   (2) One warning per transaction and function of its code; a variable, or pair
 *       of them, and a pattern make a variant of it.
 *   (3) What is not contended (contended.h) is left out: each pattern has two accesses
 *       that conflict in concurrent periods, on each of its variables.
 *   (4) Exact for two transactions whose locks nest, or with lock-test=graph, and
 *       that cannot deadlock. Control and data flow are not considered: a branch
 *       may go the other way.
 *
 * Not seen: orders forced by conditions, semaphores and flags, or by a lock that is
 * held while a thread is started; accesses beyond the limits that a note names. */
#include "checkers/blocks_cycle.h"
#include "checkers/blocks_match.h"

#include <string.h>

/* Warnings are looked for while blocks come, each time that their number has
 * doubled: transactions that are known to be wrong in many ways need no more. */
#define FIRST_MATCH (1u << 17)

struct blocks {
    struct hd_pass pass;
    struct hd_blocks_store store;
    struct hd_blocks_gaps gaps;
    struct hd_blocks_shapes shapes;
    struct hd_blocks_sink sink;
    struct hd_blocks_sated sated;
    struct hd_blocks_known known;
    struct hd_blocks_match match;
    uint32_t next_match; /* number of blocks at which to see what is known already */
    struct hd_blocks_cycles cycles;
    struct hd_blocks_builder *builders; /* by thread */
    bool cyclic; /* theorem 5 */
    bool exact;  /* theorem 5, and few enough transactions to decide it as a whole */
    struct hd_warnings *out;
};

static const struct hd_switch switches[] = {
    {"theorem", "4|3|5", "one variable at a time, two transactions, or cycles of several",
     NULL},
    {"escape", "on|off", "leave out accesses that no other thread can make yet", NULL},
    {"happen-before", "on|off", "respect the order that fork, join and barriers force",
     NULL},
    {"lock-test", "held|gap|graph",
     "for locks that do not nest: gap is better, graph exact", NULL},
    {"pattern1", "initial|printed", "printed: any read between two writes", NULL},
    {"publish", "on|off", "a write before publication counts as made there", NULL},
    {NULL, NULL, NULL, NULL},
};

static unsigned needs(const struct hd_settings *settings) {
    unsigned need = HD_NEED_TRANSACTIONS;
    if (hd_setting_is(settings, "escape", "on")) need |= HD_NEED_ESCAPE;
    if (hd_setting_is(settings, "happen-before", "on")) {
        need |= HD_NEED_PERIODS | HD_NEED_CONTENDED | HD_NEED_NOTHING_ELSE;
    }
    return need;
}

static void found(void *context, const struct hd_blocks_found *f);

static void begin(void *state, const struct hd_pass *pass) {
    struct blocks *self = state;
    struct hd_locksets *sets = hd_front_locksets(pass->front);
    self->pass = *pass;
    self->cyclic = hd_setting_is(pass->settings, "theorem", "5");
    hd_blocks_store_init(&self->store, pass->arena, sets);
    hd_blocks_gaps_init(&self->gaps, pass->arena, sets);
    hd_blocks_shapes_init(&self->shapes, pass->arena);
    hd_blocks_cycles_init(&self->cycles, &self->pass);
    self->builders = hd_arena_array(pass->arena, hd_trace_threads(pass->trace) + 1,
                                    sizeof *self->builders);
    self->sink = (struct hd_blocks_sink){
        .pass = &self->pass,
        .store = &self->store,
        .gaps = hd_setting_is(pass->settings, "lock-test", "gap") ? &self->gaps : NULL,
        .shapes =
            hd_setting_is(pass->settings, "lock-test", "graph") ? &self->shapes : NULL,
        .pairs = !hd_setting_is(pass->settings, "theorem", "3"),
        .escape = hd_setting_is(pass->settings, "escape", "on"),
        .periods = hd_setting_is(pass->settings, "happen-before", "on"),
        .publish = hd_setting_is(pass->settings, "publish", "on"),
        .contended = hd_setting_is(pass->settings, "happen-before", "on"),
        .sated = self->cyclic ? NULL : &self->sated,
        .done = self->cyclic ? hd_blocks_cycles_add : NULL,
        .context = &self->cycles,
    };
    self->sated.arena = pass->arena;
    if (!self->cyclic) { /* cycles go through the transactions one by one */
        hd_blocks_known_init(&self->known, pass->arena);
        self->sink.known = &self->known;
    }
    self->next_match = FIRST_MATCH;
    self->match = (struct hd_blocks_match){
        .arena = pass->arena,
        .store = &self->store,
        .gaps = &self->gaps,
        .shapes = &self->shapes,
        .periods = self->sink.periods ? hd_front_periods(pass->front) : NULL,
        .locks = self->sink.gaps     ? HD_BLOCKS_BY_GAP
                 : self->sink.shapes ? HD_BLOCKS_BY_GRAPH
                                     : HD_BLOCKS_BY_HELD,
        .sated = self->sink.sated,
        .printed = hd_setting_is(pass->settings, "pattern1", "printed"),
        .found = found,
        .context = self,
    };
}

static void steps(void *state, const struct hd_step *steps, size_t count,
                  struct hd_warnings *out) {
    struct blocks *self = state;
    hd_blocks_build(self->builders, &self->sink, steps, count);
    if (!self->cyclic && self->store.block_count >= self->next_match) {
        self->out = out;
        hd_blocks_match_all(&self->match);
        self->next_match = self->store.block_count * 2;
    }
}

static bool is_incomplete(const struct blocks *self, uint32_t txn) {
    for (uint32_t i = 0; i < self->sink.incomplete_count; i++) {
        if (self->sink.incomplete[i] == txn) return true;
    }
    return false;
}

static void add_access(struct hd_warning *w, const struct hd_blocks_block *block,
                       const struct hd_blocks_sight *sight, int side) {
    const struct hd_blocks_event *e = &sight->event[side];
    w->accesses[w->access_count++] = (struct hd_access){
        .seq = e->seq,
        .obj = block->var[side],
        .site = e->site,
        .function = e->function,
        .held = block->held[side],
        .txn = sight->txn,
        .thread = block->thread,
        .kind = e->kind,
        .flags = e->flags,
    };
}

static const char *const why1[] = {
    NULL,
    "another thread can read between the two writes and see what was not meant to be "
    "seen",
    "another thread can write between the two reads, which then disagree",
    "another thread can write between the write and the read, which then gets a foreign "
    "value",
    "another thread can write between the read and the write, and its value is lost",
};

static void found(void *context, const struct hd_blocks_found *f) {
    struct blocks *self = context;
    const struct hd_blocks_block *victim = hd_blocks_get(&self->store, f->victim);
    const struct hd_blocks_block *other = hd_blocks_get(&self->store, f->other);
    const struct hd_blocks_sight *vs = &self->store.sights[f->victim_sight];
    const struct hd_blocks_sight *os = &self->store.sights[f->other_sight];
    if (self->exact && (f->pattern == 4 || f->pattern == 0))
        return; /* condition 2 decides */

    const uint32_t key[HD_WARNING_KEY] = {victim->region};
    const uint32_t variant[HD_WARNING_KEY] = {victim->var[0], victim->var[1],
                                              (uint32_t)f->pattern, f->order, f->same};
    if (hd_warnings_again(self->out, HD_ATOMICITY, key, variant)) return;
    hd_blocks_sated_add(&self->sated, victim->region);

    struct hd_warning w = {.kind = HD_ATOMICITY,
                           .region = victim->region,
                           .incomplete = is_incomplete(self, vs->txn)};
    memcpy(w.key, key, sizeof key);
    memcpy(w.variant, variant, sizeof variant);
    char pattern[8] = "";
    if (f->pattern) {
        w.why = why1[f->pattern];
        add_access(&w, victim, vs, 0);
        add_access(&w, other, os, f->middle);
        add_access(&w, victim, vs, 1);
        w.pattern = hd_blocks_pattern1_name(f->pattern);
    } else {
        bool inside = f->order == HD_BLOCKS_1221;
        w.why =
            inside
                ? "both accesses of another thread can come between the two, which then "
                  "disagree about who was first"
                : "the accesses of two threads can cross, and the two variables then "
                  "disagree about who was first";
        add_access(&w, victim, vs, 0);
        add_access(&w, other, os, 0);
        add_access(&w, inside ? other : victim, inside ? os : vs, 1);
        add_access(&w, inside ? victim : other, inside ? vs : os, 1);
        const uint8_t op[4] = {victim->op[0], other->op[0],
                               inside ? other->op[1] : victim->op[1],
                               inside ? victim->op[1] : other->op[1]};
        for (int i = 0; i < 4; i++) {
            pattern[i * 2] = op[i] == HD_BLOCKS_W ? 'W' : 'R';
            pattern[i * 2 + 1] = i < 3 ? '-' : '\0';
        }
        w.pattern = pattern;
    }
    uint64_t witness[4];
    for (uint32_t i = 0; i < w.access_count; i++)
        witness[i] = w.accesses[i].seq;
    w.witness = witness;
    w.witness_count = w.access_count;
    hd_warnings_add(self->out, &w);
}

static void end(void *state, struct hd_warnings *out) {
    struct blocks *self = state;
    for (uint32_t t = 0; t < hd_trace_threads(self->pass.trace); t++) {
        hd_blocks_build_end(&self->builders[t], &self->sink);
    }
    self->out = out;
    self->cycles.periods = self->match.periods;
    self->exact = self->cyclic && hd_blocks_cycles_few(&self->cycles);
    hd_blocks_match_all(&self->match);
    if (self->cyclic) hd_blocks_cycles_find(&self->cycles, out);

    if (self->store.dropped) {
        hd_note(self->pass.notes,
                "blocks: %llu blocks were dropped: too many distinct ones",
                (unsigned long long)self->store.dropped);
    }
    if (self->sink.large) {
        hd_note(self->pass.notes,
                "blocks: of %llu transactions with more than %d shared accesses, only "
                "the first "
                "were paired",
                (unsigned long long)self->sink.large, HD_BLOCKS_ENTRIES_MAX);
    }
    if (self->sink.skipped) {
        hd_note(self->pass.notes,
                "blocks: all transactions seen so far had %d warnings each; pairs of "
                "accesses in "
                "%llu more were not looked at",
                HD_WARNING_VARIANTS, (unsigned long long)self->sink.skipped);
    }
    if (self->match.large) {
        hd_note(self->pass.notes, "blocks: %llu progress graphs were too large to search",
                (unsigned long long)self->match.large);
    }
}

const struct hd_checker_ops hd_checker_blocks = {
    .name = "blocks",
    .finds = "accesses of two transactions that can be interleaved as no serial order "
             "explains",
    .after = "Wang and Stoller, Runtime Analysis of Atomicity for Multithreaded Programs",
    .switches = switches,
    .state_size = sizeof(struct blocks),
    .needs = needs,
    .begin = begin,
    .steps = steps,
    .end = end,
};

/* transactions.c - memory transactions that belong together and are apart.
 *
 * Claim: two neighbouring transactions of a thread use variables that another
 * thread's transaction may change or read as a whole in between:
 *
 *     RwR   T1 reads x,   T2 writes x and y,   T3 reads y    (x is not y)
 *     WrW   T1 writes x,  T2 reads x and y,    T3 writes y   (x is not y)
 *     RwW   T1 reads x,   T2 writes x,         T3 writes x
 *
 * State: for each thread its distinct transactions (label, period, variables read
 * and written) and which followed which; compared at the end.
 *
 *   (1) A pair T1, T3 is one warning, however many T2 and patterns fit: the paper's
 *       main anomaly. Those are its variants.
 *   (2) T2 is of another thread, in a period concurrent with both.
 *   (3) patterns=strict adds what else cannot be serialized of one variable: R w R,
 *       W r W, W w R.
 *   (4) refine=reads-both drops RwR if T3 reads both. The paper proposes it; it drops
 *       true anomalies, too (StringBuffer), and is off.
 *   (5) reads=first: what a transaction has written before does not count as read.
 *   (6) unit=regions takes outermost lock regions as transactions, named after their
 *       function.
 *
 * After Lourenço, Sousa, Teixeira and Dias 2011. Their low-level races, accesses outside
 * of transactions, are what `races` finds: a transaction holds the lock @TM.
 *
 * Not seen: anomalies over more than two transactions of a thread, but for the parts
 * that are neighbours. */
#include "checkers/transactions.h"
#include "checkers/uses.h"

struct thread {
    struct hd_uses uses;
    struct hd_txn open;
    bool inside;
    uint32_t last; /* of its transactions, the one before; HD_NO_ID: none */
    uint32_t acq;  /* memory transactions: its acquisition */
};

struct collect {
    struct hd_txn_table table;
    struct thread *threads;
    bool regions, first;
    uint32_t *scratch;
    size_t scratch_room;
};

static bool happens(const struct hd_settings *settings) {
    return hd_setting_is(settings, "happen-before", "on");
}

static unsigned needs(const struct hd_settings *settings) {
    return HD_NEED_ESCAPE | (happens(settings) ? HD_NEED_PERIODS : 0);
}

static void begin(void *state, const struct hd_pass *pass) {
    struct collect *c = state;
    uint32_t threads = hd_trace_threads(pass->trace);
    c->table.pass = pass;
    c->table.sets = hd_locksets_new(pass->arena);
    c->table.periods = happens(pass->settings) ? hd_front_periods(pass->front) : NULL;
    c->table.strict = hd_setting_is(pass->settings, "patterns", "strict");
    c->table.reads_both = hd_setting_is(pass->settings, "refine", "reads-both");
    c->table.of = hd_arena_array(pass->arena, threads, sizeof *c->table.of);
    c->table.threads = threads;
    c->regions = hd_setting_is(pass->settings, "unit", "regions");
    c->first = hd_setting_is(pass->settings, "reads", "first");
    c->threads = hd_arena_array(pass->arena, threads, sizeof *c->threads);
    for (uint32_t t = 0; t < threads; t++) {
        c->threads[t].last = HD_NO_ID;
    }
}

/* The variables read or written, as a set, and an access to each. */
static uint32_t content(struct collect *c, const struct hd_uses *uses, bool write,
                        struct hd_access **at, bool keep) {
    struct hd_arena *arena = c->table.pass->arena;
    uint32_t n = 0;
    HD_ARENA_FIT(arena, c->scratch, c->scratch_room, uses->count);
    for (uint32_t i = 0; i < uses->count; i++) {
        const struct hd_use *use = &uses->used[i];
        bool counts = (use->word & 1) == write;
        if (counts && !write && c->first && i + 1 < uses->count &&
            uses->used[i + 1].word == use->word + 1) {
            counts = use->access.seq <= uses->used[i + 1].access.seq;
        }
        if (counts) {
            c->scratch[n++] = i;
        }
    }
    if (keep) {
        *at = hd_arena_array(arena, n, sizeof **at);
        for (uint32_t i = 0; i < n; i++) {
            (*at)[i] = uses->used[c->scratch[i]].access;
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        c->scratch[i] = uses->used[c->scratch[i]].word / 2;
    }
    return hd_lockset_of(c->table.sets, c->scratch, n);
}

static uint32_t find(struct collect *c, struct hd_txns *of, struct thread *t) {
    for (uint32_t i = 0; i < of->count; i++) {
        const struct hd_txn *x = &of->txns[i];
        if (x->label == t->open.label && x->site == t->open.site &&
            x->period == t->open.period && x->reads == t->open.reads &&
            x->writes == t->open.writes) {
            return i;
        }
    }
    if (of->count == HD_TXNS_MOST) {
        hd_note(c->table.pass->notes,
                "transactions: a thread has more than %d different transactions; the rest was "
                "left out",
                HD_TXNS_MOST);
        return HD_NO_ID;
    }
    content(c, &t->uses, false, &t->open.read_at, true);
    content(c, &t->uses, true, &t->open.write_at, true);
    HD_ARENA_FIT(c->table.pass->arena, of->txns, of->room, of->count);
    of->txns[of->count] = t->open;
    return of->count++;
}

static void follow(struct collect *c, struct hd_txn *txn, uint32_t next) {
    for (uint32_t i = 0; i < txn->next_count; i++) {
        if (txn->next[i] == next) {
            return;
        }
    }
    HD_ARENA_FIT(c->table.pass->arena, txn->next, txn->next_room, txn->next_count);
    txn->next[txn->next_count++] = next;
}

static void open_txn(struct collect *c, const struct hd_step *step) {
    struct thread *t = &c->threads[step->thread];
    bool memory = step->kind == HD_TXBEGIN;
    t->inside = true;
    t->acq = step->acq;
    t->uses.count = t->uses.sorted = 0;
    t->open = (struct hd_txn){
        .label = memory ? step->obj : step->function,
        .site = step->site,
        .period = c->table.periods ? step->period : 0,
    };
}

static void close_txn(struct collect *c, uint32_t thread) {
    struct thread *t = &c->threads[thread];
    struct hd_txns *of = &c->table.of[thread];
    t->inside = false;
    hd_uses_compact(&t->uses);
    t->open.reads = content(c, &t->uses, false, NULL, false);
    t->open.writes = content(c, &t->uses, true, NULL, false);
    uint32_t now = find(c, of, t);
    if (now != HD_NO_ID && t->last != HD_NO_ID) {
        follow(c, &of->txns[t->last], now);
    }
    t->last = now;
}

static void bounds(struct collect *c, const struct hd_step *step) {
    struct thread *t = &c->threads[step->thread];
    if (step->marks & HD_MARK_REENTRANT || step->acq == HD_NO_ID) {
        return;
    }
    switch (step->kind) {
    case HD_ACQUIRE:
    case HD_WAKE:
    case HD_TXBEGIN:
        if (!t->inside && (step->kind == HD_TXBEGIN || (c->regions && !step->holds))) {
            open_txn(c, step);
        }
        break;
    case HD_RELEASE:
    case HD_WAIT:
    case HD_TXEND:
        if (t->inside && (c->regions ? !step->holds->below : step->acq == t->acq)) {
            close_txn(c, step->thread);
        }
        break;
    }
}

static void steps(void *state, const struct hd_step *steps, size_t count,
                  struct hd_warnings *out) {
    struct collect *c = state;
    for (size_t i = 0; i < count; i++) {
        const struct hd_step *step = &steps[i];
        if (!hd_kind_is_access(step->kind)) {
            bounds(c, step);
        } else if (c->threads[step->thread].inside && step->marks & HD_MARK_ESCAPED) {
            struct hd_uses *uses = &c->threads[step->thread].uses;
            if (hd_kind_reads(step->kind)) {
                hd_uses_add(c->table.pass->arena, uses, step, false);
            }
            if (hd_kind_writes(step->kind)) {
                hd_uses_add(c->table.pass->arena, uses, step, true);
            }
        }
    }
}

static void end(void *state, struct hd_warnings *out) {
    struct collect *c = state;
    for (uint32_t t = 0; t < c->table.threads; t++) {
        if (c->threads[t].inside) {
            close_txn(c, t);
        }
    }
    hd_txns_judge(&c->table, out);
}

static const struct hd_switch switches[] = {
    {"unit", "memory|regions", "regions: outermost lock regions as well", NULL},
    {"patterns", "paper|strict", "strict: R w R, W r W and W w R of one variable as well", NULL},
    {"refine", "off|reads-both", "reads-both: no RwR if the last transaction reads both", NULL},
    {"reads", "all|first", "first: not what the transaction has written before", NULL},
    {"happen-before", "on|off", "compare only what no start, join or barrier orders", NULL},
    {NULL, NULL, NULL, NULL},
};

const struct hd_checker_ops hd_checker_transactions = {
    .name = "transactions",
    .finds = "memory transactions that belong together and are apart",
    .after = "Lourenco, Sousa, Teixeira and Dias, anomalies of transactional memory",
    .switches = switches,
    .state_size = sizeof(struct collect),
    .needs = needs,
    .begin = begin,
    .steps = steps,
    .end = end,
};

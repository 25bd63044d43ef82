/* determinism_cf.c - conflict freedom (determinism_cf.h). */
#include "checkers/determinism_cf.h"

struct read {
    hd_epoch epoch;
    struct hd_access op;
};

struct hd_cf_entry {
    struct hd_cf_entry *next;
    uint32_t txn, generation;
    hd_epoch epoch; /* of the last write; 0: none */
    struct hd_access op;
    struct read *reads; /* no two of them ordered; there is seldom more than one */
    uint32_t count, room;
    struct read one;
};

void hd_cf_begin(struct hd_cf *cf, const struct hd_pass *pass, struct hd_blocks *blocks) {
    cf->arena = pass->arena;
    cf->order = hd_happens_new(pass);
    cf->blocks = blocks;
    cf->tm = hd_front_tm(pass->front);
    cf->variables =
        hd_arena_array(cf->arena, hd_trace_granules(pass->trace), sizeof *cf->variables);
    cf->syncs = hd_arena_array(cf->arena, hd_front_locks(pass->front), sizeof *cf->syncs);
}

void hd_cf_open(struct hd_cf *cf, uint32_t thread) {
    struct hd_clock *clock = &cf->order->threads[thread];
    if (cf->reset) {
        hd_clock_clear(clock);
        hd_clock_set(cf->arena, clock, thread, 1);
    } else {
        hd_happens_tick(cf->order, thread);
    }
}

#define FEW 6 /* entries in a list */

static struct hd_cf_entry *fresh(struct hd_cf_entry *e, uint32_t txn, uint32_t generation) {
    e->txn = txn;
    e->generation = generation;
    e->epoch = 0;
    e->count = 0;
    return e;
}

static struct hd_cf_entry *new_entry(struct hd_cf *cf, uint32_t txn, uint32_t generation) {
    struct hd_cf_entry *e = hd_arena_get(cf->arena, sizeof *e);
    e->reads = &e->one;
    e->room = 1;
    return fresh(e, txn, generation);
}

static struct hd_cf_entry *row_entry(struct hd_cf *cf, struct hd_cf_object *o, uint32_t txn,
                                     uint32_t generation) {
    if (!o->row) {
        struct hd_cf_entry *e = o->list;
        o->count = cf->blocks->txn_count;
        o->row = hd_arena_array(cf->arena, o->count, sizeof *o->row);
        for (; e; e = e->next) o->row[e->txn] = e;
    }
    if (txn >= o->count) {
        uint32_t to = txn + 1 > o->count * 2 ? txn + 1 : o->count * 2;
        o->row = hd_arena_grow(cf->arena, o->row, o->count, to, sizeof *o->row);
        o->count = to;
    }
    struct hd_cf_entry **e = &o->row[txn];
    if (!*e) *e = new_entry(cf, txn, generation);
    return (*e)->generation == generation ? *e : fresh(*e, txn, generation);
}

/* What is kept of an object for the transaction that the thread is in. An entry of
 * a transaction that is over is taken over. */
static struct hd_cf_entry *entry_of(struct hd_cf *cf, struct hd_cf_object *o, uint32_t thread) {
    uint32_t txn = cf->blocks->members[thread].txn - 1;
    uint32_t generation = cf->blocks->txns[txn].generation;
    struct hd_cf_entry *e, *old = NULL;
    if (o->row) return row_entry(cf, o, txn, generation);
    for (e = o->list; e; e = e->next) {
        if (e->txn == txn && e->generation == generation) return e;
        if (cf->blocks->txns[e->txn].generation != e->generation) old = e;
    }
    if (old) return fresh(old, txn, generation);
    if (o->count == FEW) return row_entry(cf, o, txn, generation);
    e = new_entry(cf, txn, generation);
    e->next = o->list;
    o->list = e;
    o->count++;
    return e;
}

static bool after_write(struct hd_cf *cf, const struct hd_cf_entry *e,
                        const struct hd_clock *now, const struct hd_access *op) {
    if (hd_clock_covers(now, e->epoch)) return true;
    cf->on_conflict(cf->context, &e->op, op);
    return false;
}

/* One report for an operation, even if it conflicts with several. */
static void after_reads(struct hd_cf *cf, const struct hd_cf_entry *e,
                        const struct hd_clock *now, const struct hd_access *op) {
    for (size_t i = 0; i < e->count; i++) {
        if (!hd_clock_covers(now, e->reads[i].epoch)) {
            cf->on_conflict(cf->context, &e->reads[i].op, op);
            return;
        }
    }
}

static void add_read(struct hd_cf *cf, struct hd_cf_entry *e, const struct hd_clock *now,
                     const struct hd_access *op) {
    hd_epoch epoch = hd_happens_now(cf->order, op->thread);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < e->count; i++) {
        if (e->reads[i].epoch == epoch) return; /* read before, and nothing was told since */
    }
    for (uint32_t i = 0; i < e->count; i++) {
        if (hd_clock_covers(now, e->reads[i].epoch)) continue;
        if (kept != i) e->reads[kept] = e->reads[i];
        kept++;
    }
    HD_ARENA_FIT(cf->arena, e->reads, e->room, kept);
    e->reads[kept] = (struct read){epoch, *op};
    e->count = kept + 1;
}

static void set_write(struct hd_cf *cf, struct hd_cf_entry *e, const struct hd_access *op) {
    e->epoch = hd_happens_now(cf->order, op->thread);
    e->op = *op;
    e->count = 0;
}

static void access_step(struct hd_cf *cf, const struct hd_step *step,
                        const struct hd_access *op) {
    struct hd_cf_entry *e = entry_of(cf, &cf->variables[step->obj], step->thread);
    const struct hd_clock *now = hd_happens_clock(cf->order, step->thread);
    if (!hd_kind_writes(step->kind)) {
        after_write(cf, e, now, op);
        add_read(cf, e, now, op);
        return;
    }
    if (after_write(cf, e, now, op)) after_reads(cf, e, now, op);
    set_write(cf, e, op);
}

/* In a transaction that has more than one thread, or had. */
static bool inside(const struct hd_cf *cf, uint32_t thread) {
    uint32_t txn = cf->blocks->members[thread].txn;
    return txn && cf->blocks->txns[txn - 1].forked;
}

void hd_cf_quiet(struct hd_cf *cf, const struct hd_step *step, const struct hd_access *op) {
    if (!inside(cf, step->thread)) return;
    struct hd_cf_entry *e = entry_of(cf, &cf->variables[step->obj], step->thread);
    if (hd_kind_writes(step->kind)) set_write(cf, e, op);
    else add_read(cf, e, hd_happens_clock(cf->order, step->thread), op);
}

static bool was_shared(const struct hd_step *step) {
    for (const struct hd_hold *hold = step->holds; hold; hold = hold->below) {
        if (hold->acq == step->acq) return !HD_LOCK_IS_EXCLUSIVE(hold->element);
    }
    return step->flags & HD_FLAG_READ;
}

static void acquire(struct hd_cf *cf, const struct hd_step *step, uint32_t lock,
                    const struct hd_access *op) {
    if (step->marks & HD_MARK_REENTRANT) return;
    struct hd_cf_entry *e = entry_of(cf, &cf->syncs[lock], step->thread);
    const struct hd_clock *now = hd_happens_clock(cf->order, step->thread);
    if (after_write(cf, e, now, op) && !(step->flags & HD_FLAG_READ)) {
        after_reads(cf, e, now, op);
    }
}

static void release(struct hd_cf *cf, const struct hd_step *step, uint32_t lock,
                    const struct hd_access *op) {
    if (step->marks & HD_MARK_REENTRANT) return;
    struct hd_cf_entry *e = entry_of(cf, &cf->syncs[lock], step->thread);
    if (was_shared(step)) add_read(cf, e, hd_happens_clock(cf->order, step->thread), op);
    else set_write(cf, e, op);
}

static void compete(struct hd_cf *cf, const struct hd_step *step, const struct hd_access *op) {
    struct hd_cf_entry *e = entry_of(cf, &cf->syncs[step->obj], step->thread);
    after_write(cf, e, hd_happens_clock(cf->order, step->thread), op);
    set_write(cf, e, op);
}

void hd_cf_step(struct hd_cf *cf, const struct hd_step *step, const struct hd_access *op) {
    bool in = inside(cf, step->thread);
    switch (step->kind) {
    case HD_READ:
    case HD_WRITE:
    case HD_VREAD:
    case HD_VWRITE:
    case HD_VRMW:
        if (in) access_step(cf, step, op);
        break;
    case HD_ACQUIRE:
        if (in) acquire(cf, step, step->obj, op);
        break;
    case HD_RELEASE:
        if (in) release(cf, step, step->obj, op);
        break;
    case HD_TXBEGIN:
        if (in) acquire(cf, step, cf->tm, op);
        break;
    case HD_TXEND:
        if (in) release(cf, step, cf->tm, op);
        break;
    case HD_WAIT:
        if (in && step->acq != HD_NO_ID) release(cf, step, step->aux, op);
        break;
    case HD_WAKE:
        if (in && step->acq != HD_NO_ID) acquire(cf, step, step->aux, op);
        break;
    case HD_PEND:
        if (in) compete(cf, step, op);
        hd_happens_step(cf->order, step);
        break;
    case HD_FORK:
    case HD_JOIN:
    case HD_BARRIER:
    case HD_BLEAVE:
    case HD_POST:
    case HD_ONCE: hd_happens_step(cf->order, step); break;
    default: break;
    }
}

/* transactions_judge.c - the patterns of anomalies (table in transactions.c). */
#include "checkers/transactions.h"

#include <stdio.h>

#define BUDGET 20000000ull /* triples in one trace */

struct judge {
    struct hd_txn_table *table;
    struct hd_warnings *out;
    uint64_t tried;
};

/* T1, T2, T3 as candidates for a pattern. */
struct triple {
    const struct hd_txn *one, *two, *three;
    uint16_t thread, other;
};

static struct hd_access use_of(struct judge *j, uint32_t set, const struct hd_access *at,
                               uint32_t granule) {
    uint32_t n;
    const uint32_t *granules = hd_lockset_elements(j->table->sets, set, &n);
    for (uint32_t i = 0; i < n; i++) {
        if (granules[i] == granule) {
            return at[i];
        }
    }
    return at[0];
}

static struct hd_access access_of(struct judge *j, const struct hd_txn *txn, bool write,
                                  uint32_t granule) {
    return use_of(j, write ? txn->writes : txn->reads, write ? txn->write_at : txn->read_at,
                  granule);
}

static const char *name_of(struct judge *j, const struct hd_txn *txn) {
    const struct hd_trace *trace = j->table->pass->trace;
    const char *name = NULL;
    if (txn->label != HD_NO_ID) {
        name = hd_trace_label(trace, txn->label)->name;
    } else if (txn->site != HD_NO_ID) {
        name = hd_trace_site(trace, txn->site)->function;
    }
    return name && *name ? name : "an unnamed transaction";
}

/* T1 accesses x, T2 x and y, T3 y; the flags say who writes. x and y may be the same. */
static void report(struct judge *j, const struct triple *t, const char *pattern, uint32_t x,
                   uint32_t y, bool write1, bool write2, bool write3) {
    const struct hd_txn *one = t->one, *three = t->three;
    bool named = one->label != HD_NO_ID && three->label != HD_NO_ID;
    bool sited = one->site != HD_NO_ID && three->site != HD_NO_ID;
    struct hd_warning w = {
        .kind = HD_HIGH_LEVEL_RACE,
        .key = {1, named ? one->label : 0, named ? three->label : 0,
                named || !sited ? 0 : one->site, named || !sited ? 0 : three->site,
                named || sited ? 0 : t->thread + 1u},
        .variant = {(uint32_t)pattern[0], (uint32_t)pattern[1], (uint32_t)pattern[2],
                    t->two->label == HD_NO_ID ? t->other : t->two->label},
        .region = hd_front_region_of(j->table->pass->front, one->label, one->site),
        .pattern = pattern,
    };
    if (hd_warnings_again(j->out, w.kind, w.key, w.variant)) {
        return;
    }
    w.accesses[w.access_count++] = access_of(j, one, write1, x);
    w.accesses[w.access_count++] = access_of(j, t->two, write2, x);
    if (x != y) {
        w.accesses[w.access_count++] = access_of(j, t->two, write2, y);
    }
    w.accesses[w.access_count++] = access_of(j, three, write3, y);
    uint64_t witness[4];
    for (uint32_t i = 0; i < w.access_count; i++) {
        witness[i] = w.accesses[i].seq;
    }
    char why[700];
    snprintf(why, sizeof why, "%.200s can run between %.200s and %.200s, which are apart",
             name_of(j, t->two), name_of(j, one), name_of(j, three));
    w.why = why;
    w.witness = witness;
    w.witness_count = w.access_count;
    hd_warnings_add(j->out, &w);
}

/* x in a and not in `except`, y in b, not the same: the first such pair. */
static bool different(struct judge *j, uint32_t a, uint32_t except, uint32_t b, uint32_t *x,
                      uint32_t *y) {
    uint32_t m, n;
    const uint32_t *as = hd_lockset_elements(j->table->sets, a, &m);
    const uint32_t *bs = hd_lockset_elements(j->table->sets, b, &n);
    for (uint32_t i = 0; i < m && n; i++) {
        uint32_t other = bs[0] != as[i] || n == 1 ? bs[0] : bs[1];
        if (other != as[i] && !hd_lockset_has(j->table->sets, except, as[i])) {
            *x = as[i];
            *y = other;
            return true;
        }
    }
    return false;
}

static bool same(struct judge *j, uint32_t a, uint32_t b, uint32_t *x) {
    uint32_t n, common = hd_lockset_meet(j->table->sets, a, b);
    const uint32_t *elements = hd_lockset_elements(j->table->sets, common, &n);
    *x = n ? elements[0] : 0;
    return n > 0;
}

static void match(struct judge *j, const struct triple *t) {
    struct hd_locksets *sets = j->table->sets;
    const struct hd_txn *one = t->one, *two = t->two, *three = t->three;
    uint32_t x, y;
    uint32_t before = hd_lockset_meet(sets, one->reads, two->writes);
    uint32_t after = hd_lockset_meet(sets, three->reads, two->writes);
    uint32_t read_again = j->table->reads_both ? three->reads : HD_LOCKSET_EMPTY;
    if (different(j, before, read_again, after, &x, &y)) {
        report(j, t, "RwR", x, y, false, true, false);
    }
    uint32_t left = hd_lockset_meet(sets, one->writes, two->reads);
    uint32_t right = hd_lockset_meet(sets, three->writes, two->reads);
    if (different(j, left, HD_LOCKSET_EMPTY, right, &x, &y)) {
        report(j, t, "WrW", x, y, true, false, true);
    }
    if (same(j, before, three->writes, &x)) {
        report(j, t, "RwW", x, x, false, true, true);
    }
    if (!j->table->strict) {
        return;
    }
    if (same(j, before, three->reads, &x)) {
        report(j, t, "R-w-R", x, x, false, true, false);
    }
    if (same(j, left, three->writes, &x)) {
        report(j, t, "W-r-W", x, x, true, false, true);
    }
    if (same(j, hd_lockset_meet(sets, one->writes, two->writes), three->reads, &x)) {
        report(j, t, "W-w-R", x, x, true, true, false);
    }
}

static bool may_meet(const struct hd_txn_table *table, const struct hd_txn *a,
                     const struct hd_txn *b) {
    return !table->periods || hd_period_par(table->periods, a->period, b->period);
}

static void pair(struct judge *j, uint32_t thread, const struct hd_txn *one,
                 const struct hd_txn *three) {
    const struct hd_txn_table *table = j->table;
    for (uint32_t other = 0; other < table->threads; other++) {
        for (uint32_t i = 0; other != thread && i < table->of[other].count; i++) {
            const struct hd_txn *two = &table->of[other].txns[i];
            if (++j->tried > BUDGET) {
                return;
            }
            if (may_meet(table, one, two) && may_meet(table, three, two)) {
                struct triple t = {one, two, three, (uint16_t)thread, (uint16_t)other};
                match(j, &t);
            }
        }
    }
}

void hd_txns_judge(struct hd_txn_table *table, struct hd_warnings *out) {
    struct judge j = {.table = table, .out = out};
    for (uint32_t t = 0; t < table->threads; t++) {
        for (uint32_t i = 0; i < table->of[t].count; i++) {
            const struct hd_txn *one = &table->of[t].txns[i];
            for (uint32_t k = 0; k < one->next_count; k++) {
                pair(&j, t, one, &table->of[t].txns[one->next[k]]);
            }
        }
    }
    if (j.tried > BUDGET) {
        hd_note(table->pass->notes, "transactions: too many of them; not all were compared");
    }
}

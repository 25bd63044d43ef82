/* transactions_judge.c - the patterns of anomalies (table in transactions.c). */
#include "checkers/transactions.h"

#include <stdio.h>

#define BUDGET 5000000ull /* triples in one trace */

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

/* What two or three sets have in common: the first two elements are enough to tell
 * whether there are different ones. Nothing is interned: there are too many triples. */
struct common {
    uint32_t element[2];
    uint32_t count;
};

static struct common common(struct judge *j, uint32_t a, uint32_t b, uint32_t also,
                            uint32_t except) {
    const struct hd_locksets *sets = j->table->sets;
    struct common c = {.count = 0};
    uint32_t m, n;
    const uint32_t *as = hd_lockset_elements(sets, a, &m);
    const uint32_t *bs = hd_lockset_elements(sets, b, &n);
    for (uint32_t i = 0, k = 0; i < m && k < n && c.count < 2;) {
        if (as[i] != bs[k]) {
            i += as[i] < bs[k];
            k += i < m && as[i] > bs[k];
            continue;
        }
        if ((also == HD_LOCKSET_ALL || hd_lockset_has(sets, also, as[i])) &&
            !hd_lockset_has(sets, except, as[i])) {
            c.element[c.count++] = as[i];
        }
        i++;
        k++;
    }
    return c;
}

/* x in a, y in b, not the same: the first such pair. */
static bool different(const struct common *a, const struct common *b, uint32_t *x,
                      uint32_t *y) {
    for (uint32_t i = 0; i < a->count; i++) {
        for (uint32_t k = 0; k < b->count; k++) {
            if (a->element[i] != b->element[k]) {
                *x = a->element[i];
                *y = b->element[k];
                return true;
            }
        }
    }
    return false;
}

/* R w W and the like: one variable. */
static void one_variable(struct judge *j, const struct triple *t, const char *pattern,
                         bool write1, bool write2, bool write3) {
    struct common all = common(j, write1 ? t->one->writes : t->one->reads,
                               write2 ? t->two->writes : t->two->reads,
                               write3 ? t->three->writes : t->three->reads, HD_LOCKSET_EMPTY);
    if (all.count) {
        report(j, t, pattern, all.element[0], all.element[0], write1, write2, write3);
    }
}

static void match(struct judge *j, const struct triple *t) {
    const struct hd_txn *one = t->one, *two = t->two, *three = t->three;
    uint32_t x, y, again = j->table->reads_both ? three->reads : HD_LOCKSET_EMPTY;
    struct common before = common(j, one->reads, two->writes, HD_LOCKSET_ALL, again);
    struct common after = common(j, three->reads, two->writes, HD_LOCKSET_ALL, HD_LOCKSET_EMPTY);
    if (different(&before, &after, &x, &y)) {
        report(j, t, "RwR", x, y, false, true, false);
    }
    before = common(j, one->writes, two->reads, HD_LOCKSET_ALL, HD_LOCKSET_EMPTY);
    after = common(j, three->writes, two->reads, HD_LOCKSET_ALL, HD_LOCKSET_EMPTY);
    if (different(&before, &after, &x, &y)) {
        report(j, t, "WrW", x, y, true, false, true);
    }
    one_variable(j, t, "RwW", false, true, true);
    if (j->table->strict) {
        one_variable(j, t, "R-w-R", false, true, false);
        one_variable(j, t, "W-r-W", true, false, true);
        one_variable(j, t, "W-w-R", true, true, false);
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

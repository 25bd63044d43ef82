/* oracle_all.c - every interleaving, and what is true of all of them.
 *
 * A walk over states with a memory of those already seen. What a state must hold
 * depends on the question: for deadlocks and races the positions of the threads
 * are enough; for view serializability also who wrote last and who was read from;
 * for conflicts also the edges made so far. Two ways into one state need not be
 * told apart, since all that can follow is the same. */
#include "checkers/tests/oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a set of byte strings of one length ---------------------------------- */

#define KEY_MOST 256

struct seen {
    uint8_t *keys;
    uint32_t *stamp; /* slot in use iff equal to `now` */
    uint32_t now, size, count, length;
};

static void seen_reset(struct seen *set, uint32_t length) {
    if (!set->stamp || set->length != length) {
        free(set->keys);
        free(set->stamp);
        set->size = 1024;
        set->keys = malloc((size_t)set->size * length);
        set->stamp = calloc(set->size, sizeof *set->stamp);
        set->now = 0;
        set->length = length;
    }
    set->now++;
    set->count = 0;
}

static uint64_t hash(const uint8_t *key, uint32_t length) {
    uint64_t h = 0xcbf29ce484222325u;
    for (uint32_t i = 0; i < length; i++) h = (h ^ key[i]) * 0x100000001b3u;
    return h ^ h >> 29;
}

static bool seen_has(const struct seen *set, const uint8_t *key) {
    for (uint64_t at = hash(key, set->length);; at++) {
        uint32_t slot = (uint32_t)at & (set->size - 1);
        if (set->stamp[slot] != set->now) return false;
        if (!memcmp(set->keys + (size_t)slot * set->length, key, set->length)) return true;
    }
}

/* True if it is new. */
static bool seen_add(struct seen *set, const uint8_t *key) {
    if (set->count * 2 >= set->size) {
        struct seen old = *set;
        set->size *= 4;
        set->keys = malloc((size_t)set->size * set->length);
        set->stamp = calloc(set->size, sizeof *set->stamp);
        set->now = 1;
        set->count = 0;
        for (uint32_t i = 0; i < old.size; i++) {
            if (old.stamp[i] == old.now) seen_add(set, old.keys + (size_t)i * old.length);
        }
        free(old.keys);
        free(old.stamp);
    }
    for (uint64_t at = hash(key, set->length);; at++) {
        uint32_t slot = (uint32_t)at & (set->size - 1);
        if (set->stamp[slot] != set->now) {
            set->stamp[slot] = set->now;
            memcpy(set->keys + (size_t)slot * set->length, key, set->length);
            set->count++;
            return true;
        }
        if (!memcmp(set->keys + (size_t)slot * set->length, key, set->length)) return false;
    }
}

/* ---- the walk --------------------------------------------------------------- */

/* A state is a key: positions first, then what the question adds. `step` changes
 * that second part for one operation; `visit` looks at a state, true: stop. */
struct walk {
    struct hd_oracle_facts facts;
    uint32_t length;
    bool serial;
    uint16_t txn[HD_ORACLE_THREADS][HD_ORACLE_OPS];
    void (*step)(struct walk *w, uint8_t *key, uint32_t thread, uint32_t pos);
    bool (*visit)(struct walk *w, const uint8_t *key, bool complete, bool stuck);
    struct seen *into;        /* complete states, for views */
    const struct seen *within;
    uint32_t result;
    uint32_t t, u;            /* a pair of threads, for deadlock_pair */
    uint8_t first[HD_ORACLE_THREADS]; /* views: number of the first access of a thread */
};

/* The thread that is in the middle of a transaction, or -1. */
static int inside(const struct walk *w, const uint8_t *key) {
    for (uint32_t t = 0; t < w->facts.c->threads; t++) {
        uint32_t pos = key[t];
        if (pos > 0 && pos < w->facts.c->count[t] && w->txn[t][pos] == w->txn[t][pos - 1]) {
            return (int)t;
        }
    }
    return -1;
}

static bool walk(struct walk *w) {
    static struct seen memory;
    static uint8_t *stack;
    static size_t room;
    const struct hd_oracle_case *c = w->facts.c;
    size_t depth = 0;
    uint8_t key[KEY_MOST] = {0};
    if (w->length > KEY_MOST) abort();
    if (w->step) w->step(w, key, UINT32_MAX, 0); /* the start */
    seen_reset(&memory, w->length);
    seen_add(&memory, key);
    for (;;) {
        struct hd_oracle_state state;
        memcpy(state.pos, key, sizeof state.pos);
        bool complete = true, stuck = true;
        int only = w->serial ? inside(w, key) : -1;
        for (uint32_t t = 0; t < c->threads; t++) {
            if (state.pos[t] < c->count[t]) complete = false;
            if (!hd_oracle_enabled(&w->facts, &state, t)) continue;
            stuck = false;
            if (only >= 0 && (uint32_t)only != t) continue;
            if ((depth + 1) * w->length > room) {
                room = room ? room * 2 : 1 << 16;
                stack = realloc(stack, room);
            }
            uint8_t *next = stack + depth * w->length;
            memcpy(next, key, w->length);
            if (w->step) w->step(w, next, t, state.pos[t]);
            next[t]++;
            if (seen_add(&memory, next)) depth++;
        }
        if (w->visit(w, key, complete, stuck)) return true;
        if (!depth) return false;
        memcpy(key, stack + --depth * w->length, w->length);
    }
}

static void walk_begin(struct walk *w, const struct hd_oracle_case *c) {
    memset(w, 0, sizeof *w);
    hd_oracle_facts(c, &w->facts);
    w->length = HD_ORACLE_THREADS;
}

/* ---- positions are enough ---------------------------------------------------- */

static bool visit_deadlock(struct walk *w, const uint8_t *key, bool complete, bool stuck) {
    (void)w, (void)key;
    return stuck && !complete;
}

bool hd_oracle_deadlock(const struct hd_oracle_case *c) {
    struct walk w;
    walk_begin(&w, c);
    w.visit = visit_deadlock;
    return walk(&w);
}

static const struct hd_oracle_op *next_op(const struct walk *w, const uint8_t *key,
                                          uint32_t t) {
    struct hd_oracle_state state;
    memcpy(state.pos, key, sizeof state.pos);
    if (key[t] >= w->facts.c->count[t] || !hd_oracle_started(&w->facts, &state, t)) return NULL;
    return &w->facts.c->op[t][key[t]];
}

static bool visit_races(struct walk *w, const uint8_t *key, bool complete, bool stuck) {
    (void)complete, (void)stuck;
    for (uint32_t t = 0; t < w->facts.c->threads; t++) {
        const struct hd_oracle_op *a = next_op(w, key, t);
        if (!a || !hd_kind_is_plain(a->kind)) continue;
        for (uint32_t u = t + 1; u < w->facts.c->threads; u++) {
            const struct hd_oracle_op *b = next_op(w, key, u);
            if (b && hd_kind_is_plain(b->kind) && a->obj == b->obj &&
                (a->kind == HD_WRITE || b->kind == HD_WRITE)) {
                w->result |= 1u << a->obj;
            }
        }
    }
    return false;
}

uint32_t hd_oracle_races(const struct hd_oracle_case *c) {
    struct walk w;
    walk_begin(&w, c);
    w.visit = visit_races;
    walk(&w);
    return w.result;
}

static bool waits_for(const struct walk *w, const uint8_t *key, uint32_t t, uint32_t u) {
    const struct hd_oracle_op *a = next_op(w, key, t);
    if (!a || a->kind != HD_ACQUIRE) return false;
    uint16_t bit = (uint16_t)(1u << a->obj);
    return w->facts.exclusive[u][key[u]] & bit ||
           (!a->shared && w->facts.shared[u][key[u]] & bit);
}

static bool visit_pair(struct walk *w, const uint8_t *key, bool complete, bool stuck) {
    (void)complete, (void)stuck;
    return waits_for(w, key, w->t, w->u) && waits_for(w, key, w->u, w->t);
}

bool hd_oracle_deadlock_pair(const struct hd_oracle_case *c, uint32_t t, uint32_t u) {
    struct walk w;
    walk_begin(&w, c);
    w.t = t;
    w.u = u;
    w.visit = visit_pair;
    return walk(&w);
}

/* ---- views: who is read from, who wrote last --------------------------------- */

enum { VIEW_LAST = HD_ORACLE_THREADS, VIEW_FROM = VIEW_LAST + HD_ORACLE_OBJECTS };

/* Number all accesses; a read keeps its writer at VIEW_FROM + number, and 0 means
 * both "not yet" and "the initial value": the positions tell the two apart. */
static void view_begin(struct walk *w, const struct hd_oracle_case *c) {
    uint32_t total = 0;
    for (uint32_t t = 0; t < c->threads; t++) {
        w->first[t] = (uint8_t)total;
        for (uint32_t i = 0; i < c->count[t]; i++) {
            total += hd_kind_is_access(c->op[t][i].kind);
        }
    }
    w->length = VIEW_FROM + total;
}

static void step_view(struct walk *w, uint8_t *key, uint32_t thread, uint32_t pos) {
    if (thread == UINT32_MAX) return;
    const struct hd_oracle_op *op = &w->facts.c->op[thread][pos];
    if (!hd_kind_is_access(op->kind)) return;
    uint32_t number = w->first[thread];
    for (uint32_t i = 0; i < pos; i++) {
        number += hd_kind_is_access(w->facts.c->op[thread][i].kind);
    }
    if (hd_kind_reads(op->kind)) key[VIEW_FROM + number] = key[VIEW_LAST + op->obj];
    if (hd_kind_writes(op->kind)) key[VIEW_LAST + op->obj] = (uint8_t)(number + 1);
}

static bool visit_collect(struct walk *w, const uint8_t *key, bool complete, bool stuck) {
    (void)stuck;
    if (complete) seen_add(w->into, key);
    return false;
}

static bool visit_compare(struct walk *w, const uint8_t *key, bool complete, bool stuck) {
    (void)stuck;
    return complete && !seen_has(w->within, key);
}

static void collect_serial(struct walk *w, const struct hd_oracle_case *c, bool cut,
                           struct seen *serial) {
    static bool unary[HD_ORACLE_STEPS];
    walk_begin(w, c);
    view_begin(w, c);
    hd_oracle_number(c, cut, w->txn, unary);
    w->serial = true;
    w->step = step_view;
    w->visit = visit_collect;
    w->into = serial;
    seen_reset(serial, w->length);
    walk(w);
}

static struct seen serial_views;

bool hd_oracle_view_atomic(const struct hd_oracle_case *c, bool cut) {
    struct walk w;
    collect_serial(&w, c, cut, &serial_views);
    w.serial = false;
    w.visit = visit_compare;
    w.within = &serial_views;
    return !walk(&w);
}

bool hd_oracle_view_serializable(const struct hd_oracle_case *c, bool cut,
                                 const struct hd_oracle_run *run) {
    struct walk w;
    if (!run->complete) return false;
    collect_serial(&w, c, cut, &serial_views);
    uint8_t key[KEY_MOST] = {0};
    for (uint32_t i = 0; i < run->count; i++) {
        step_view(&w, key, run->thread[i], run->pos[i]);
        key[run->thread[i]]++;
    }
    return seen_has(&serial_views, key);
}

static bool visit_one_view(struct walk *w, const uint8_t *key, bool complete, bool stuck) {
    (void)stuck;
    if (complete) seen_add(w->into, key);
    return w->into->count > 1;
}

bool hd_oracle_deterministic(const struct hd_oracle_case *c) {
    static struct seen views;
    struct walk w;
    walk_begin(&w, c);
    view_begin(&w, c);
    w.step = step_view;
    w.visit = visit_one_view;
    w.into = &views;
    seen_reset(&views, w.length);
    return !walk(&w);
}

/* ---- conflicts: which transaction before which --------------------------------- */

/* Edges as rows of bits behind the positions. An operation that runs gets an edge
 * from the transaction of every conflicting operation that ran before it. */
static void step_conflict(struct walk *w, uint8_t *key, uint32_t thread, uint32_t pos) {
    if (thread == UINT32_MAX) return;
    const struct hd_oracle_case *c = w->facts.c;
    const struct hd_oracle_op *op = &c->op[thread][pos];
    uint32_t to = w->txn[thread][pos];
    for (uint32_t t = 0; t < c->threads; t++) {
        for (uint32_t i = 0; i < key[t]; i++) {
            const struct hd_oracle_op *before = &c->op[t][i];
            uint32_t from = w->txn[t][i];
            bool edge = t == thread || (before->kind == HD_FORK && before->obj == thread) ||
                        (op->kind == HD_JOIN && op->obj == t) ||
                        (op->kind == HD_BLEAVE && before->kind == HD_BARRIER &&
                         op->obj == before->obj);
            edge |= hd_kind_is_access(op->kind) && hd_kind_is_access(before->kind) &&
                    op->obj == before->obj &&
                    (hd_kind_writes(op->kind) || hd_kind_writes(before->kind));
            if (edge && from != to) {
                key[HD_ORACLE_THREADS + from * 3 + to / 8] |= (uint8_t)(1u << to % 8);
            }
        }
    }
}

static bool visit_acyclic(struct walk *w, const uint8_t *key, bool complete, bool stuck) {
    (void)stuck;
    if (!complete) return false;
    uint32_t row[HD_ORACLE_TXNS];
    for (uint32_t n = 0; n < w->result; n++) {
        const uint8_t *bytes = key + HD_ORACLE_THREADS + n * 3;
        row[n] = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16;
    }
    for (uint32_t k = 0; k < w->result; k++) {
        for (uint32_t n = 0; n < w->result; n++) {
            if (row[n] >> k & 1) row[n] |= row[k];
        }
    }
    for (uint32_t n = 0; n < w->result; n++) {
        if (row[n] >> n & 1) return true;
    }
    return false;
}

bool hd_oracle_conflict_atomic(const struct hd_oracle_case *c, bool cut) {
    static bool unary[HD_ORACLE_STEPS];
    struct walk w;
    walk_begin(&w, c);
    w.result = hd_oracle_number(c, cut, w.txn, unary);
    if (w.result > HD_ORACLE_TXNS) {
        fprintf(stderr, "oracle: %u transactions, at most %u\n", w.result, HD_ORACLE_TXNS);
        abort();
    }
    w.length = HD_ORACLE_THREADS + HD_ORACLE_TXNS * 3;
    w.step = step_conflict;
    w.visit = visit_acyclic;
    return !walk(&w);
}

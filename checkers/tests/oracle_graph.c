/* oracle_graph.c - the conflict graph of one run, pair by pair.
 *
 * Definition. Two events of different threads are a *pair* (e, f), e first, if
 *   data      they access one variable and one of them writes;
 *   lock      e ends a section of a lock, f begins a later one, not both as
 *             readers, and with LOCKS_BOUNDARY one of the two sections is held
 *             across the begin or end of a transaction;
 *   fork      e forks f's thread and f is its first event; e is the last event of
 *             a thread and f joins it;
 *   barrier   e arrives at and f leaves the same barrier;
 *   permit    the n-th PEND and the (n - initial)-th POST of a semaphore;
 * or of one thread and neighbours in it. A data pair is *direct* if no third
 * access g of the variable lies between with (e, g) and (g, f) ordered: each a pair
 * or of one thread. A lock pair is direct if no third section lies between that
 * makes a pair with every other; nor, if e's section is such a one, one of f's
 * thread; nor, if it is not, one of e's thread that makes a pair with f's. Only
 * direct pairs are edges: the others add nothing to what reaches what, but would
 * blame a transaction for reading again what it already knows.
 *
 * A transaction on a cycle that is left before it is come back to is *accused*. It is
 * *torn* if it is accused and some way of pairs, all sections of locks counted, goes
 * from a step of it over other threads to a later step of it. With LOCKS_BOUNDARY the
 * victims are the torn ones, and those that are accused even if torn ones are
 * passed only from a step to later steps. */
#include "checkers/tests/oracle.h"

#include <stdlib.h>
#include <string.h>

struct pair {
    uint16_t from, to; /* steps */
};

struct section {
    uint32_t thread, lock, begin, end; /* steps; end UINT32_MAX: never released */
    bool shared, across;
};

struct work {
    const struct hd_oracle_case *c;
    const struct hd_oracle_run *run;
    const struct hd_oracle_op *op[HD_ORACLE_STEPS];
    struct section section[HD_ORACLE_STEPS];
    uint32_t sections;
    struct pair pair[HD_ORACLE_STEPS * 32];
    uint32_t pairs;
    enum hd_oracle_edges locks;
};

static void add(struct work *w, uint32_t from, uint32_t to) {
    if (w->pairs == sizeof w->pair / sizeof w->pair[0]) abort();
    w->pair[w->pairs++] = (struct pair){(uint16_t)from, (uint16_t)to};
}

/* ---- nodes ----------------------------------------------------------------- */

static void name_nodes(const struct hd_oracle_case *c, const struct hd_oracle_run *run,
                       enum hd_oracle_nodes how, struct hd_oracle_graph *g) {
    static uint16_t txn[HD_ORACLE_THREADS][HD_ORACLE_OPS];
    static bool unary[HD_ORACLE_STEPS];
    g->nodes = hd_oracle_number(c, how == HD_ORACLE_SINGLE_CUT, txn, unary);
    if (g->nodes > HD_ORACLE_NODES) abort();
    memcpy(g->unary, unary, sizeof g->unary);
    int whole[HD_ORACLE_THREADS]; /* the node that took a thread in, or -1 */
    for (uint32_t t = 0; t < c->threads; t++) whole[t] = -1;
    for (uint32_t i = 0; i < run->count; i++) {
        uint32_t t = run->thread[i];
        uint16_t node = whole[t] >= 0 ? (uint16_t)whole[t] : txn[t][run->pos[i]];
        const struct hd_oracle_op *op = &c->op[t][run->pos[i]];
        g->node[i] = node;
        if (how == HD_ORACLE_MULTI && op->kind == HD_FORK && !g->unary[node]) {
            whole[op->obj] = node;
        }
    }
}

/* ---- pairs ------------------------------------------------------------------ */

static bool data_pair(const struct hd_oracle_op *a, const struct hd_oracle_op *b) {
    return hd_kind_is_access(a->kind) && hd_kind_is_access(b->kind) && a->obj == b->obj &&
           (hd_kind_writes(a->kind) || hd_kind_writes(b->kind));
}

static void data_pairs(struct work *w) {
    const uint8_t *thread = w->run->thread;
    for (uint32_t f = 0; f < w->run->count; f++) {
        for (uint32_t e = 0; e < f; e++) {
            if (thread[e] == thread[f] || !data_pair(w->op[e], w->op[f])) continue;
            bool direct = true;
            for (uint32_t g = e + 1; g < f && direct; g++) {
                if (!hd_kind_is_access(w->op[g]->kind) || w->op[g]->obj != w->op[e]->obj) {
                    continue;
                }
                direct = !((thread[e] == thread[g] || data_pair(w->op[e], w->op[g])) &&
                           (thread[g] == thread[f] || data_pair(w->op[g], w->op[f])));
            }
            if (direct) add(w, e, f);
        }
    }
}

/* Is this step the end of its thread's outermost region? */
static bool is_end(const struct work *w, uint32_t step) {
    int depth = 0;
    for (uint32_t i = 0; i <= step; i++) {
        if (w->run->thread[i] != w->run->thread[step]) continue;
        depth += (w->op[i]->kind == HD_BEGIN) - (w->op[i]->kind == HD_END);
    }
    return w->op[step]->kind == HD_END && depth == 0;
}

/* Sections from the outermost acquire to the outermost release. A boundary is
 * between two neighbouring steps of the thread that are in different nodes, one of
 * them a transaction, or after an end that nothing follows. */
static void find_sections(struct work *w, const struct hd_oracle_graph *g) {
    for (uint32_t i = 0; i < w->run->count; i++) {
        if (w->op[i]->kind != HD_ACQUIRE) continue;
        uint32_t t = w->run->thread[i], lock = w->op[i]->obj;
        int level = 0;
        for (uint32_t j = 0; j < i; j++) {
            if (w->run->thread[j] != t || w->op[j]->obj != lock) continue;
            level += (w->op[j]->kind == HD_ACQUIRE) - (w->op[j]->kind == HD_RELEASE);
        }
        if (level) continue;
        struct section s = {t, lock, i, UINT32_MAX, w->op[i]->shared, false};
        uint32_t last = i;
        for (uint32_t j = i; j < w->run->count; j++) {
            if (w->run->thread[j] != t) continue;
            bool both_unary = g->unary[g->node[j]] && g->unary[g->node[last]];
            if (g->node[j] != g->node[last] && !both_unary) s.across = true;
            if (is_end(w, j)) s.across = true;
            last = j;
            if (w->op[j]->obj != lock) continue;
            level += (w->op[j]->kind == HD_ACQUIRE) - (w->op[j]->kind == HD_RELEASE);
            if (w->op[j]->kind == HD_RELEASE && level == 0) {
                s.end = j;
                break;
            }
        }
        w->section[w->sections++] = s;
    }
}

static bool section_pair(const struct work *w, const struct section *a,
                         const struct section *b) {
    if (a->lock != b->lock || (a->shared && b->shared)) return false;
    return w->locks == HD_ORACLE_LOCKS_ALL || a->across || b->across;
}

static bool full(const struct work *w, const struct section *s) {
    return !s->shared && (w->locks == HD_ORACLE_LOCKS_ALL || s->across);
}

static bool ends_before(const struct section *a, const struct section *b) {
    return a->end != UINT32_MAX && a->end < b->begin;
}

static void lock_pairs(struct work *w, const struct hd_oracle_graph *g) {
    if (w->locks == HD_ORACLE_LOCKS_NONE) return;
    find_sections(w, g);
    for (uint32_t i = 0; i < w->sections; i++) {
        for (uint32_t j = 0; j < w->sections; j++) {
            const struct section *a = &w->section[i], *b = &w->section[j];
            if (a->thread == b->thread || !ends_before(a, b) || !section_pair(w, a, b)) continue;
            bool direct = true;
            for (uint32_t k = 0; k < w->sections && direct; k++) {
                const struct section *m = &w->section[k];
                if (m->lock != a->lock || !ends_before(a, m) || !ends_before(m, b)) continue;
                direct = !(full(w, m) || (full(w, a) ? m->thread == b->thread
                                                     : m->thread == a->thread &&
                                                           section_pair(w, m, b)));
            }
            if (direct) add(w, a->end, b->begin);
        }
    }
}

static void other_pairs(struct work *w) {
    const struct hd_oracle_run *run = w->run;
    for (uint32_t f = 0; f < run->count; f++) {
        int last = -1;
        for (uint32_t e = 0; e < f; e++) {
            if (run->thread[e] == run->thread[f]) last = (int)e;
        }
        if (last >= 0) add(w, (uint32_t)last, f);
        for (uint32_t e = 0; e < f && last < 0; e++) {
            if (w->op[e]->kind == HD_FORK && w->op[e]->obj == run->thread[f]) add(w, e, f);
        }
        if (w->op[f]->kind == HD_JOIN) {
            int end = -1;
            for (uint32_t e = 0; e < f; e++) {
                if (run->thread[e] == w->op[f]->obj) end = (int)e;
                if (w->op[e]->kind == HD_FORK && w->op[e]->obj == w->op[f]->obj && end < 0) {
                    end = (int)e; /* it did nothing: then its fork is all there is */
                }
            }
            if (end >= 0) add(w, (uint32_t)end, f);
        }
        if (w->op[f]->kind == HD_BLEAVE) {
            for (uint32_t e = 0; e < f; e++) {
                if (w->op[e]->kind == HD_BARRIER && w->op[e]->obj == w->op[f]->obj) add(w, e, f);
            }
        }
        if (w->op[f]->kind == HD_PEND) {
            int nth = 0;
            for (uint32_t e = 0; e < f; e++) {
                nth += w->op[e]->kind == HD_PEND && w->op[e]->obj == w->op[f]->obj;
            }
            nth -= w->c->initial[w->op[f]->obj];
            for (uint32_t e = 0; e < f && nth >= 0; e++) {
                if (w->op[e]->kind != HD_POST || w->op[e]->obj != w->op[f]->obj) continue;
                if (nth-- == 0) add(w, e, f);
            }
        }
    }
}

/* ---- cycles and whom they accuse ---------------------------------------------- */

/* Is there a way from node `from` to node `to` by pairs that end at step `until`
 * at the latest, without touching node `without`? */
static bool reaches(const struct work *w, const struct hd_oracle_graph *g, uint32_t from,
                    uint32_t to, uint32_t until, uint32_t without) {
    bool seen[HD_ORACLE_NODES] = {false};
    uint16_t stack[HD_ORACLE_NODES];
    uint32_t depth = 0;
    if (from == without) return false;
    seen[from] = true;
    stack[depth++] = (uint16_t)from;
    while (depth) {
        uint32_t n = stack[--depth];
        if (n == to) return true;
        for (uint32_t i = 0; i < w->pairs; i++) {
            uint32_t next = g->node[w->pair[i].to];
            if (g->node[w->pair[i].from] != n || w->pair[i].to > until) continue;
            if (next == without || seen[next]) continue;
            seen[next] = true;
            stack[depth++] = (uint16_t)next;
        }
    }
    return false;
}

static void judge(const struct work *w, struct hd_oracle_graph *g) {
    for (uint32_t i = 0; i < w->pairs; i++) {
        uint32_t a = g->node[w->pair[i].from], b = g->node[w->pair[i].to];
        if (a != b && reaches(w, g, b, a, UINT32_MAX, UINT32_MAX)) g->cyclic = true;
    }
    if (!g->cyclic) return;
    for (uint32_t i = 0; i < w->pairs; i++) {     /* out of node n */
        for (uint32_t j = 0; j < w->pairs; j++) { /* and back into it */
            uint32_t n = g->node[w->pair[i].from];
            uint32_t after = g->node[w->pair[i].to], before = g->node[w->pair[j].from];
            if (g->node[w->pair[j].to] != n || after == n || before == n) continue;
            if (w->pair[i].from >= w->pair[j].to) continue;
            if (g->unary[n] || (g->victim[n] && g->closer[n])) continue;
            if (reaches(w, g, after, before, UINT32_MAX, n)) g->victim[n] = true;
            if (w->pair[i].to <= w->pair[j].to &&
                reaches(w, g, after, before, w->pair[j].to, n)) {
                g->closer[n] = true;
            }
        }
    }
}

/* From step to step, all locks counted: out of node n and back into it. */
static bool interrupted(const struct work *all, const struct hd_oracle_graph *g, uint32_t n) {
    bool seen[HD_ORACLE_STEPS] = {false};
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < all->pairs; i++) {
            uint32_t from = all->pair[i].from, to = all->pair[i].to;
            if (seen[from] && g->node[to] == n) return true;
            if (seen[to] || g->node[to] == n || !(seen[from] || g->node[from] == n)) continue;
            seen[to] = more = true;
        }
    }
    return false;
}

/* Is node n left by one pair and come back to by a later one, torn nodes passed
 * only forward? */
static bool split_accused(const struct work *w, const struct hd_oracle_graph *g,
                          const bool *torn, uint32_t n) {
    for (uint32_t first = 0; first < w->pairs; first++) {
        uint32_t leaves = w->pair[first].from;
        if (g->node[leaves] != n || g->node[w->pair[first].to] == n) continue;
        bool seen[HD_ORACLE_STEPS] = {false};
        seen[w->pair[first].to] = true;
        for (bool more = true; more;) {
            more = false;
            for (uint32_t i = 0; i < w->pairs; i++) {
                uint32_t from = w->pair[i].from, to = w->pair[i].to, m = g->node[from];
                bool here = false;
                for (uint32_t s = 0; s < w->run->count && m != n; s++) {
                    here |= seen[s] && g->node[s] == m && (!torn[m] || s <= from);
                }
                if (here && g->node[to] == n && to > leaves) return true;
                if (!here || seen[to] || g->node[to] == n) continue;
                seen[to] = more = true;
            }
        }
    }
    return false;
}

static void pairs_of(struct work *w, const struct hd_oracle_graph *g) {
    w->sections = w->pairs = 0;
    data_pairs(w);
    lock_pairs(w, g);
    other_pairs(w);
}

static void acquit(const struct work *w, struct hd_oracle_graph *g) {
    static struct work all;
    bool torn[HD_ORACLE_NODES] = {false};
    all = *w;
    all.locks = HD_ORACLE_LOCKS_ALL;
    pairs_of(&all, g);
    for (uint32_t n = 0; n < g->nodes; n++) torn[n] = g->victim[n] && interrupted(&all, g, n);
    for (uint32_t n = 0; n < g->nodes; n++) {
        if (!g->victim[n] || torn[n]) continue;
        g->victim[n] = split_accused(w, g, torn, n);
        g->acquitted += !g->victim[n];
    }
}

void hd_oracle_graph(const struct hd_oracle_case *c, const struct hd_oracle_run *run,
                     enum hd_oracle_nodes nodes, enum hd_oracle_edges locks,
                     struct hd_oracle_graph *g) {
    static struct work w;
    w.c = c;
    w.run = run;
    w.locks = locks;
    memset(g, 0, sizeof *g);
    for (uint32_t i = 0; i < run->count; i++) w.op[i] = &c->op[run->thread[i]][run->pos[i]];
    name_nodes(c, run, nodes, g);
    pairs_of(&w, g);
    judge(&w, g);
    if (locks == HD_ORACLE_LOCKS_BOUNDARY && g->cyclic) acquit(&w, g);
}

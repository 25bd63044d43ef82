/* deadlock_cycle.c - the circles in a graph of lock orders.
 *
 * A depth-first search from each lock, through locks of higher number only, so
 * that a circle is found once, from its smallest lock. Edges that lie on no
 * circle of the bare lock graph are dropped beforehand (strongly connected
 * components). Short circles first: the number of circles grows with every
 * thread of theirs, and it is the short ones that people want to see; a search
 * that becomes too long is cut off with a note. */
#include "checkers/deadlock_graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH 32          /* threads in a circle */
#define BUDGET 20000000ull /* edges tried per length */

struct search {
    struct hd_lock_graph *g;
    struct hd_warnings *out;
    uint32_t *first;  /* lock -> its edges in `list`, one more entry at the end */
    uint32_t *list;
    uint32_t *component; /* of each lock */
    const struct hd_lock_edge *path[DEPTH];
    uint32_t start;
    uint32_t least, most; /* length of the circles looked for */
    uint64_t tried;
    bool cut;
};

/* ---- components: Tarjan, without recursion ------------------------------- */

struct visit {
    uint32_t lock, edge;
};

static void components(struct search *s) {
    struct hd_arena *arena = s->g->pass->arena;
    uint32_t n = s->g->lock_count, clock = 0, top = 0, depth = 0, found = 0;
    uint32_t *number = hd_arena_array(arena, n, sizeof *number);
    uint32_t *low = hd_arena_array(arena, n, sizeof *low);
    uint32_t *stack = hd_arena_array(arena, n, sizeof *stack);
    struct visit *visits = hd_arena_array(arena, n, sizeof *visits);
    for (uint32_t root = 0; root < n; root++) {
        if (number[root] || s->first[root] == s->first[root + 1]) {
            continue;
        }
        visits[depth++] = (struct visit){root, s->first[root]};
        number[root] = low[root] = ++clock;
        stack[top++] = root;
        while (depth) {
            struct visit *v = &visits[depth - 1];
            if (v->edge < s->first[v->lock + 1]) {
                uint32_t to = HD_LOCK_OF(s->g->edges[s->list[v->edge++]].to);
                if (!number[to]) {
                    number[to] = low[to] = ++clock;
                    stack[top++] = to;
                    visits[depth++] = (struct visit){to, s->first[to]};
                } else if (!s->component[to] && number[to] < low[v->lock]) {
                    low[v->lock] = number[to];
                }
                continue;
            }
            uint32_t lock = v->lock;
            depth--;
            if (depth && low[lock] < low[visits[depth - 1].lock]) {
                low[visits[depth - 1].lock] = low[lock];
            }
            if (low[lock] == number[lock]) {
                found++;
                do {
                    s->component[stack[--top]] = found;
                } while (stack[top] != lock);
            }
        }
    }
}

/* ---- the edges of each lock ---------------------------------------------- */

static void index_edges(struct search *s) {
    struct hd_lock_graph *g = s->g;
    s->first = hd_arena_array(g->pass->arena, (size_t)g->lock_count + 1, sizeof *s->first);
    s->list = hd_arena_array(g->pass->arena, g->count, sizeof *s->list);
    s->component = hd_arena_array(g->pass->arena, g->lock_count, sizeof *s->component);
    for (size_t i = 0; i < g->count; i++) {
        s->first[HD_LOCK_OF(g->edges[i].from) + 1] += !g->edges[i].dropped;
    }
    for (uint32_t l = 0; l < g->lock_count; l++) {
        s->first[l + 1] += s->first[l];
    }
    uint32_t *at = hd_arena_array(g->pass->arena, g->lock_count, sizeof *at);
    for (size_t i = 0; i < g->count; i++) {
        uint32_t from = HD_LOCK_OF(g->edges[i].from);
        if (!g->edges[i].dropped) {
            s->list[s->first[from] + at[from]++] = (uint32_t)i;
        }
    }
}

/* ---- circles -------------------------------------------------------------- */

/* Holder and taker of the lock between two edges get in each other's way. */
static bool blocks(const struct search *s, const struct hd_lock_edge *wants,
                   const struct hd_lock_edge *holds) {
    return s->g->readers_block || HD_LOCK_IS_EXCLUSIVE(wants->to) ||
           HD_LOCK_IS_EXCLUSIVE(holds->from);
}

static bool together(const struct search *s, const struct hd_lock_edge *a,
                     const struct hd_lock_edge *b) {
    return a->thread != b->thread && hd_period_par(s->g->periods, a->period, b->period) &&
           !hd_lockset_exclude(s->g->locksets, a->held, b->held);
}

static const char *name_cycle(const struct search *s, uint32_t length) {
    char text[1024], buffer[200];
    size_t at = 0;
    for (uint32_t i = 0; i <= length && at < sizeof text - 220; i++) {
        const char *name = hd_front_lock_name(
            s->g->pass->front, HD_LOCK_OF(s->path[i % length]->from), buffer, sizeof buffer);
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%.200s", i ? " -> " : "", name);
        at = at < sizeof text ? at : sizeof text - 1;
    }
    return hd_arena_string(s->g->pass->arena, text);
}

static void report(struct search *s, uint32_t length) {
    struct hd_warning w = {.kind = HD_DEADLOCK, .region = HD_NO_ID};
    for (uint32_t i = 0; i < length; i++) {
        const struct hd_lock_edge *e = s->path[i];
        uint32_t lock = HD_LOCK_OF(e->from);
        if (i < HD_WARNING_KEY - 1) {
            w.key[i] = lock + 1;
        } else { /* the rest in one word */
            w.key[HD_WARNING_KEY - 1] = (w.key[HD_WARNING_KEY - 1] + lock + 1) * 0x9e3779b1u;
        }
        w.variant[i % HD_WARNING_KEY] =
            (w.variant[i % HD_WARNING_KEY] + e->wants.site + 1) * 0x85ebca77u + e->took.site;
    }
    if (hd_warnings_again(s->out, HD_DEADLOCK, w.key, w.variant)) {
        return;
    }
    uint64_t witness[2 * DEPTH];
    for (uint32_t i = 0; i < length; i++) {
        witness[i] = s->path[i]->took.seq;
        witness[length + i] = s->path[i]->wants.seq;
        if (2 * i + 1 < HD_WARNING_ACCESSES) {
            w.accesses[w.access_count++] = s->path[i]->took;
            w.accesses[w.access_count++] = s->path[i]->wants;
        }
    }
    w.pattern = name_cycle(s, length);
    w.why = "each of the threads holds what the next one wants";
    w.witness = witness;
    w.witness_count = 2 * length;
    hd_warnings_add(s->out, &w);
}

static void extend(struct search *s, uint32_t lock, uint32_t length) {
    for (uint32_t i = s->first[lock]; i < s->first[lock + 1] && !s->cut; i++) {
        const struct hd_lock_edge *e = &s->g->edges[s->list[i]];
        uint32_t to = HD_LOCK_OF(e->to);
        s->cut = ++s->tried > BUDGET;
        if (to < s->start || s->component[to] != s->component[s->start]) {
            continue;
        }
        bool closes = to == s->start;
        if (!closes && length + 1 >= s->most) {
            continue;
        }
        bool fits = !length || blocks(s, s->path[length - 1], e);
        for (uint32_t k = 0; k < length && fits; k++) {
            fits = together(s, s->path[k], e) && (closes || HD_LOCK_OF(s->path[k]->from) != to);
        }
        if (!fits) {
            continue;
        }
        s->path[length] = e;
        if (!closes) {
            extend(s, to, length + 1);
        } else if (length + 1 >= s->least && blocks(s, e, s->path[0])) {
            report(s, length + 1);
        }
    }
}

void hd_lock_graph_cycles(struct hd_lock_graph *g, struct hd_warnings *out) {
    if (!g->count) {
        return;
    }
    struct search s = {.g = g, .out = out};
    index_edges(&s);
    components(&s);
    uint32_t longest = g->longest && g->longest < DEPTH ? (uint32_t)g->longest : DEPTH;
    for (uint32_t length = 2; length <= longest && !s.cut; length++) {
        s.least = length;
        s.most = length < 5 ? length : longest; /* then all that are longer, at once */
        s.tried = 0;
        for (s.start = 0; s.start < g->lock_count && !s.cut; s.start++) {
            extend(&s, s.start, 0);
        }
        length = s.most;
    }
    if (s.cut) {
        hd_note(g->pass->notes, "deadlock: too many lock orders; cycles of %u threads and more "
                                "were not all looked at",
                s.least);
    }
}

/* highlevel_judge.c - comparing the views of two threads (definition in highlevel.c). */
#include "checkers/highlevel.h"

#include <stdio.h>
#include <stdlib.h>

#define BUDGET 50000000ull /* intersections in one trace */

struct cut {
    const struct hd_view *view;
    uint32_t set, size;
};

struct judge {
    struct hd_view_table *table;
    struct hd_warnings *out;
    struct cut *cuts;
    size_t cut_room;
    uint64_t tried;
};

static bool may_meet(const struct hd_view_table *table, const struct hd_view *a,
                     const struct hd_view *b) {
    return !table->periods || hd_period_par(table->periods, a->period, b->period);
}

static bool maximal(struct hd_view_table *table, const struct hd_views *of, uint32_t index) {
    const struct hd_view *m = &of->views[index];
    for (uint32_t i = 0; i < of->count; i++) {
        const struct hd_view *v = &of->views[i];
        if (v->used != m->used && v->period == m->period &&
            hd_lockset_subset(table->sets, m->used, v->used)) {
            return false;
        }
    }
    return true;
}

/* Somebody writes what m and the two views have in common. */
static bool written(struct judge *j, const struct hd_view *m, const struct cut *a,
                    const struct cut *b) {
    struct hd_locksets *sets = j->table->sets;
    return !j->table->needs_write || !hd_lockset_disjoint(sets, m->written, a->set) ||
           !hd_lockset_disjoint(sets, m->written, b->set) ||
           !hd_lockset_disjoint(sets, a->view->written, m->used) ||
           !hd_lockset_disjoint(sets, b->view->written, m->used);
}

static void list(struct judge *j, uint32_t set, char *text, size_t size) {
    uint32_t n;
    const uint32_t *granules = hd_lockset_elements(j->table->sets, set, &n);
    const struct hd_trace *trace = j->table->pass->trace;
    size_t at = 0;
    for (uint32_t i = 0; i < n && i < 5 && at < size; i++) {
        char buffer[100];
        const char *name = hd_trace_variable_name(
            trace, hd_trace_granule_variable(trace, granules[i]), buffer, sizeof buffer);
        at += (size_t)snprintf(text + at, size - at, "%s%s", i ? ", " : "",
                               i == 4 && n > 5 ? "..." : name);
    }
}

/* The access of a view to the first variable that is in `in` and not in `out`. */
static struct hd_access use_of(struct judge *j, const struct hd_view *view, uint32_t in,
                               uint32_t out) {
    uint32_t n;
    const uint32_t *granules = hd_lockset_elements(j->table->sets, view->used, &n);
    for (uint32_t i = 0; i < n; i++) {
        if (hd_lockset_has(j->table->sets, in, granules[i]) &&
            !hd_lockset_has(j->table->sets, out, granules[i])) {
            return view->uses[i];
        }
    }
    return view->uses[0];
}

static void report(struct judge *j, const struct hd_views *one, const struct hd_view *m,
                   const struct hd_views *other, const struct cut *a, const struct cut *b) {
    bool sited = m->site != HD_NO_ID;
    uint32_t low = one->thread < other->thread ? one->thread : other->thread;
    uint32_t high = one->thread < other->thread ? other->thread : one->thread;
    if (a->view->seq > b->view->seq) { /* in the order they ran */
        const struct cut *swap = a;
        a = b;
        b = swap;
    }
    struct hd_warning w = {
        .kind = HD_HIGH_LEVEL_RACE,
        .key = {one->lock, sited ? m->site : low, sited ? a->view->site : high,
                sited ? b->view->site : 0},
        .region = HD_NO_ID,
        .pattern = "apart-together-apart",
        .access_count = 4,
    };
    if (hd_warnings_again(j->out, w.kind, w.key, w.variant)) {
        return;
    }
    w.accesses[0] = use_of(j, a->view, a->set, b->set);
    w.accesses[1] = use_of(j, m, a->set, b->set);
    w.accesses[2] = use_of(j, m, b->set, a->set);
    w.accesses[3] = use_of(j, b->view, b->set, a->set);
    uint64_t witness[4];
    for (int i = 0; i < 4; i++) {
        witness[i] = w.accesses[i].seq;
    }
    char together[300], first[300], second[300], lock[200], why[1300];
    list(j, hd_lockset_join(j->table->sets, a->set, b->set), together, sizeof together);
    list(j, a->set, first, sizeof first);
    list(j, b->set, second, sizeof second);
    snprintf(why, sizeof why, "under %s, %s are used together in one region, {%s} and {%s} apart",
             hd_front_lock_name(j->table->pass->front, one->lock, lock, sizeof lock), together,
             first, second);
    w.witness = witness;
    w.witness_count = 4;
    w.why = why;
    hd_warnings_add(j->out, &w);
}

static int by_size(const void *left, const void *right) {
    const struct cut *a = left, *b = right;
    if (a->size != b->size) {
        return a->size < b->size ? -1 : 1;
    }
    return a->set < b->set ? -1 : a->set > b->set;
}

static void compare(struct judge *j, const struct hd_views *one, const struct hd_views *other) {
    struct hd_locksets *sets = j->table->sets;
    for (uint32_t i = 0; i < one->count && j->tried < BUDGET; i++) {
        const struct hd_view *m = &one->views[i];
        if (hd_lockset_size(sets, m->used) < 2 || !maximal(j->table, one, i)) {
            continue;
        }
        size_t n = 0;
        for (uint32_t k = 0; k < other->count; k++, j->tried++) {
            const struct hd_view *v = &other->views[k];
            uint32_t common = hd_lockset_meet(sets, m->used, v->used);
            if (common == HD_LOCKSET_EMPTY || !may_meet(j->table, m, v)) {
                continue;
            }
            HD_ARENA_FIT(j->table->pass->arena, j->cuts, j->cut_room, n);
            j->cuts[n++] = (struct cut){v, common, hd_lockset_size(sets, common)};
        }
        if (n) {
            qsort(j->cuts, n, sizeof *j->cuts, by_size);
        }
        /* By size, a chain is one iff each is within its neighbour. */
        for (size_t k = 0; k + 1 < n; k++) {
            if (!hd_lockset_subset(sets, j->cuts[k].set, j->cuts[k + 1].set) &&
                written(j, m, &j->cuts[k], &j->cuts[k + 1])) {
                report(j, one, m, other, &j->cuts[k], &j->cuts[k + 1]);
            }
        }
    }
}

static int by_lock(const void *left, const void *right) {
    const struct hd_views *a = left, *b = right;
    if (a->lock != b->lock) {
        return a->lock < b->lock ? -1 : 1;
    }
    return a->thread < b->thread ? -1 : a->thread > b->thread;
}

void hd_views_judge(struct hd_view_table *table, struct hd_warnings *out) {
    struct judge j = {.table = table, .out = out};
    if (table->count) {
        qsort(table->of, table->count, sizeof *table->of, by_lock);
    }
    for (size_t i = 0; i < table->count; i++) {
        for (size_t k = i + 1; k < table->count && table->of[k].lock == table->of[i].lock; k++) {
            compare(&j, &table->of[i], &table->of[k]);
            compare(&j, &table->of[k], &table->of[i]);
        }
    }
    if (j.tried >= BUDGET) {
        hd_note(table->pass->notes, "views: too many regions; not all were compared");
    }
}

/* highlevel.c - fields used together here and apart there.
 *
 * Claim: one thread uses several variables in one region of a lock, so they
 * belong together; another one uses them in separate regions of the same lock,
 * so it may see or leave them half changed. No access need be unprotected.
 *
 * State: for each lock and thread the views of its regions: the sets of
 * variables used in them, nested regions included.
 *
 * Definition. A view of a thread is maximal if no other one of it contains it. Two
 * threads are consistent for a lock iff for each maximal view m of one, the
 * non-empty intersections of m with the views of the other form a chain.
 *   (1) Only regions in concurrent periods are compared (happen-before=off: all).
 *   (2) Reads count like writes, as in the paper; with writes=needed somebody has
 *       to write what the two have in common, else nothing can go wrong.
 *   (3) A memory transaction is a region of the one lock that all share.
 *
 * After Artho, Havelund and Biere 2003.
 *
 * Not seen: anything about a single variable (its views are always a chain);
 * neither implied by atomicity violations nor implying them. */
#include "checkers/highlevel.h"
#include "checkers/uses.h"

#include <string.h>

struct open {
    uint32_t acq, lock;
    uint32_t period, site;
    uint64_t seq;
    struct hd_uses uses;
};

struct thread {
    struct open *open;
    uint32_t count, room;
};

struct collect {
    struct hd_view_table table;
    struct thread *threads;
    uint32_t *index; /* (lock, thread) -> table.of, plus one; open addressing */
    uint32_t index_room;
    uint32_t *scratch;
    size_t scratch_room;
};

static unsigned needs(const struct hd_settings *settings) {
    return HD_NEED_ESCAPE | (hd_setting_is(settings, "happen-before", "on") ? HD_NEED_PERIODS : 0);
}

static void begin(void *state, const struct hd_pass *pass) {
    struct collect *c = state;
    c->table.pass = pass;
    c->table.sets = hd_locksets_new(pass->arena);
    c->table.periods = hd_setting_is(pass->settings, "happen-before", "on")
                           ? hd_front_periods(pass->front)
                           : NULL;
    c->table.needs_write = hd_setting_is(pass->settings, "writes", "needed");
    c->threads = hd_arena_array(pass->arena, hd_trace_threads(pass->trace), sizeof *c->threads);
    c->index_room = 256;
    c->index = hd_arena_array(pass->arena, c->index_room, sizeof *c->index);
}

static void touch(struct collect *c, const struct hd_step *step) {
    struct thread *t = &c->threads[step->thread];
    for (uint32_t i = 0; i < t->count; i++) {
        hd_uses_add(c->table.pass->arena, &t->open[i].uses, step, hd_kind_writes(step->kind));
    }
}

static struct hd_views *views_of(struct collect *c, uint32_t lock, uint16_t thread) {
    struct hd_view_table *table = &c->table;
    if (table->count * 2 >= c->index_room) {
        c->index = hd_arena_grow(table->pass->arena, c->index, c->index_room, c->index_room * 2,
                                 sizeof *c->index);
        c->index_room *= 2;
        memset(c->index, 0, c->index_room * sizeof *c->index);
        for (size_t i = 0; i < table->count; i++) {
            uint32_t h = table->of[i].lock * 0x9e3779b1u ^ table->of[i].thread * 0x85ebca77u;
            for (h ^= h >> 15; c->index[h & (c->index_room - 1)]; h++) {
            }
            c->index[h & (c->index_room - 1)] = (uint32_t)i + 1;
        }
    }
    uint32_t h = lock * 0x9e3779b1u ^ thread * 0x85ebca77u;
    uint32_t *slot;
    for (h ^= h >> 15; *(slot = &c->index[h & (c->index_room - 1)]); h++) {
        struct hd_views *v = &table->of[*slot - 1];
        if (v->lock == lock && v->thread == thread) {
            return v;
        }
    }
    HD_ARENA_FIT(table->pass->arena, table->of, table->room, table->count);
    *slot = (uint32_t)table->count + 1;
    struct hd_views *v = &table->of[table->count++];
    v->lock = lock;
    v->thread = thread;
    return v;
}

static void keep(struct collect *c, const struct open *o, uint16_t thread) {
    HD_ARENA_FIT(c->table.pass->arena, c->scratch, c->scratch_room, o->uses.count);
    uint32_t n = 0;
    for (uint32_t i = 0; i < o->uses.count; i++) {
        if (o->uses.used[i].word & 1) {
            c->scratch[n++] = o->uses.used[i].word / 2;
        }
    }
    struct hd_view view = {.period = o->period, .seq = o->seq, .site = o->site};
    view.written = hd_lockset_of(c->table.sets, c->scratch, n);
    n = 0;
    for (uint32_t i = 0; i < o->uses.count; i++) {
        if (!n || c->scratch[n - 1] != o->uses.used[i].word / 2) {
            c->scratch[n++] = o->uses.used[i].word / 2;
        }
    }
    view.used = hd_lockset_of(c->table.sets, c->scratch, n);
    struct hd_views *views = views_of(c, o->lock, thread);
    for (uint32_t i = 0; i < views->count; i++) {
        struct hd_view *v = &views->views[i];
        if (v->used == view.used && v->period == view.period) {
            v->written = hd_lockset_join(c->table.sets, v->written, view.written);
            return;
        }
    }
    if (views->count == HD_VIEWS_MOST) {
        if (!views->full) {
            hd_note(c->table.pass->notes,
                    "views: a thread uses one lock in more than %d different ways; the rest was "
                    "left out",
                    HD_VIEWS_MOST);
        }
        views->full = true;
        return;
    }
    view.uses = hd_arena_array(c->table.pass->arena, n, sizeof *view.uses);
    n = 0;
    for (uint32_t i = 0; i < o->uses.count; i++) { /* a write says more than a read: it comes last */
        n += !n || view.uses[n - 1].obj != o->uses.used[i].word / 2;
        view.uses[n - 1] = o->uses.used[i].access;
    }
    HD_ARENA_FIT(c->table.pass->arena, views->views, views->room, views->count);
    views->views[views->count++] = view;
}

static void open_region(struct collect *c, const struct hd_step *step, uint32_t lock) {
    struct thread *t = &c->threads[step->thread];
    HD_ARENA_FIT(c->table.pass->arena, t->open, t->room, t->count);
    struct open *o = &t->open[t->count++]; /* its list is used again */
    o->acq = step->acq;
    o->lock = lock;
    o->period = c->table.periods ? step->period : 0;
    o->seq = step->seq;
    o->site = step->site;
    o->uses.count = o->uses.sorted = 0;
}

static void close_region(struct collect *c, const struct hd_step *step) {
    struct thread *t = &c->threads[step->thread];
    for (uint32_t i = t->count; i-- > 0;) {
        if (t->open[i].acq == step->acq) {
            struct open gone = t->open[i];
            hd_uses_compact(&gone.uses);
            if (gone.uses.count) {
                keep(c, &gone, step->thread);
            }
            memmove(&t->open[i], &t->open[i + 1], (--t->count - i) * sizeof gone);
            t->open[t->count] = gone;
            return;
        }
    }
}

static void steps(void *state, const struct hd_step *steps, size_t count,
                  struct hd_warnings *out) {
    struct collect *c = state;
    for (size_t i = 0; i < count; i++) {
        const struct hd_step *step = &steps[i];
        bool reentrant = step->marks & HD_MARK_REENTRANT;
        if (hd_kind_is_access(step->kind)) {
            if (step->held && step->marks & HD_MARK_ESCAPED) {
                touch(c, step);
            }
        } else if (reentrant || step->acq == HD_NO_ID) {
            continue;
        } else if (step->kind == HD_ACQUIRE) {
            open_region(c, step, step->obj);
        } else if (step->kind == HD_WAKE) {
            open_region(c, step, step->aux);
        } else if (step->kind == HD_TXBEGIN) {
            open_region(c, step, hd_front_tm(c->table.pass->front));
        } else { /* release, wait, end of a memory transaction */
            close_region(c, step);
        }
    }
}

static void end(void *state, struct hd_warnings *out) {
    hd_views_judge(&((struct collect *)state)->table, out);
}

static const struct hd_switch switches[] = {
    {"happen-before", "on|off", "compare only regions that no start, join or barrier orders",
     NULL},
    {"writes", "any|needed", "needed: somebody writes what the views have in common", NULL},
    {NULL, NULL, NULL, NULL},
};

const struct hd_checker_ops hd_checker_views = {
    .name = "views",
    .finds = "variables used together under a lock here and apart there",
    .after = "Artho, Havelund and Biere, high-level data races",
    .switches = switches,
    .state_size = sizeof(struct collect),
    .needs = needs,
    .begin = begin,
    .steps = steps,
    .end = end,
};

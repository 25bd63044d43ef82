/* race_pairs.c - which two accesses can race, by locks and periods alone.
 *
 * State per variable: a list of facts (period, protecting locks, read or write),
 * each with the access that gave it. Of one thread only what later accesses can
 * still race with is kept:
 *   (1) A fact covers another of the same thread and period if it needs no more
 *       locks and is a write if the other is: what races with the other races
 *       with it.
 *   (2) For accesses still to come, a fact of a later period covers one of an
 *       earlier period of the same thread (met.h says why).
 * So the list is as long as threads times the distinct ways they lock.
 *
 * Not seen: order by semaphores, conditions, atomics; those are refuted by
 * running, or use algorithm=hb for what did happen. */
#include "checkers/race_pairs.h"

#include "checkers/detector_open.h"

struct fact {
    struct hd_access access;
    uint32_t period, guards;
    bool write;
};

struct cell {
    struct fact *facts;
    uint32_t count, room;
    uint32_t last_period, last_held; /* the access seen last */
    uint8_t last_write;
    bool begun;
    bool racy;
};

struct hd_pairs {
    struct hd_arena *arena;
    struct hd_locksets *locksets;
    struct hd_periods *periods;
    struct cell *cells;
};

struct hd_pairs *hd_pairs_new(const struct hd_pass *pass) {
    struct hd_pairs *p = hd_arena_get(pass->arena, sizeof *p);
    p->arena = pass->arena;
    p->locksets = hd_front_locksets(pass->front);
    p->periods = hd_front_periods(pass->front);
    p->cells = hd_arena_array(pass->arena, hd_trace_granules(pass->trace), sizeof *p->cells);
    return p;
}

static bool covers(struct hd_pairs *p, const struct fact *a, const struct fact *b) {
    return (a->write || !b->write) && hd_lockset_subset(p->locksets, a->guards, b->guards);
}

bool hd_pairs_access(struct hd_pairs *p, const struct hd_step *step, hd_pairs_hit *hit,
                     void *context) {
    struct cell *cell = &p->cells[step->obj];
    bool write = hd_kind_writes(step->kind), found = false;
    if (cell->begun && cell->last_period == step->period && cell->last_held == step->held &&
        cell->last_write == write) {
        return false;
    }
    cell->begun = true;
    cell->last_period = step->period;
    cell->last_held = step->held;
    cell->last_write = write;

    struct fact now = {.period = step->period,
                       .guards = hd_lockset_guards(p->locksets, step->held, write),
                       .write = write};
    for (uint32_t i = 0; i < cell->count; i++) {
        const struct fact *f = &cell->facts[i];
        if (f->period == now.period && covers(p, f, &now)) {
            return false;
        }
    }
    now.access = hd_access_of(step);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < cell->count; i++) {
        const struct fact *f = &cell->facts[i];
        if (f->access.thread == step->thread) {
            if (covers(p, &now, f)) {
                continue; /* rules (1) and (2): `now` stands for it from here on */
            }
        } else if ((f->write || write) &&
                   hd_lockset_disjoint(p->locksets, f->guards, now.guards) &&
                   hd_period_par(p->periods, f->period, now.period)) {
            found = cell->racy = true;
            if (hit) {
                hit(context, step, &f->access);
            }
        }
        cell->facts[kept++] = *f;
    }
    HD_ARENA_FIT(p->arena, cell->facts, cell->room, kept);
    cell->facts[kept] = now;
    cell->count = kept + 1;
    return found;
}

bool hd_pairs_racy(const struct hd_pairs *p, uint32_t granule) { return p->cells[granule].racy; }

/* The same as a detector, for those who only want a verdict. */

struct verdict {
    struct hd_pairs *pairs;
};

static void begin(void *state, const struct hd_pass *pass, bool front) {
    ((struct verdict *)state)->pairs = hd_pairs_new(pass);
}

static bool access(void *state, const struct hd_step *step) {
    struct verdict *v = state;
    hd_pairs_access(v->pairs, step, NULL, NULL);
    return hd_pairs_racy(v->pairs, step->obj);
}

static bool racy(const void *state, uint32_t granule) {
    return hd_pairs_racy(((const struct verdict *)state)->pairs, granule);
}

const struct hd_detector_ops hd_detector_pairs = {
    .name = "pairs",
    .needs = HD_NEED_PERIODS,
    .state_size = sizeof(struct verdict),
    .begin = begin,
    .access = access,
    .racy = racy,
};

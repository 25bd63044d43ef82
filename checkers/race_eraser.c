/* race_eraser.c - locksets with ownership states: Eraser, Eraser over periods,
 * von Praun and Gross.
 *
 * Claim: some lock should have been held at every access to the variable, and
 * none was. Accesses while a variable still belongs to one thread do not count;
 * that is where these algorithms miss races.
 *
 * State per variable: who owns it and the locks held at every access since it
 * was shared, `common`. Differences:
 *   eraser          one owner; shared from the second thread on
 *   eraser-periods  the owner is a period, and passes on to a period that comes
 *                   after it; reports only if a write could have met another access
 *   praun-gross     a second owner after the first; shared from the third change on
 *
 * Savage et al. 1997; von Praun and Gross 2001; the periods are our reading of a
 * column in Wang and Stoller 2006. */
#include "checkers/detector.h"
#include "checkers/met.h"

enum phase { VIRGIN, EXCLUSIVE, EXCLUSIVE2, SHARED, MODIFIED };

struct cell {
    uint32_t owner;  /* thread, or period */
    uint32_t common; /* lockset */
    uint8_t phase;
    bool racy;
};

struct eraser {
    const struct hd_pass *pass;
    struct hd_locksets *locksets;
    struct hd_periods *periods;
    struct cell *cells;
    struct hd_met *met; /* eraser-periods only */
};

static void begin(void *state, const struct hd_pass *pass, bool front) {
    struct eraser *e = state;
    e->pass = pass;
    e->locksets = hd_front_locksets(pass->front);
    e->cells = hd_arena_array(pass->arena, hd_trace_granules(pass->trace), sizeof *e->cells);
}

static void begin_periods(void *state, const struct hd_pass *pass, bool front) {
    struct eraser *e = state;
    begin(state, pass, front);
    e->periods = hd_front_periods(pass->front);
    e->met = hd_arena_array(pass->arena, hd_trace_granules(pass->trace), sizeof *e->met);
}

/* The variable is shared: narrow the locks down. */
static void refine(struct eraser *e, struct cell *cell, const struct hd_step *step, bool write) {
    uint32_t guards = hd_lockset_guards(e->locksets, step->held, write);
    cell->common = hd_lockset_meet(e->locksets, cell->common, guards);
    if (write) {
        cell->phase = MODIFIED;
    }
}

static void share(struct cell *cell) {
    cell->phase = SHARED;
    cell->common = HD_LOCKSET_ALL;
}

static bool access_eraser(void *state, const struct hd_step *step) {
    struct eraser *e = state;
    struct cell *cell = &e->cells[step->obj];
    bool write = hd_kind_writes(step->kind);
    if (cell->phase == VIRGIN) {
        cell->phase = EXCLUSIVE;
        cell->owner = step->thread;
    }
    if (cell->phase == EXCLUSIVE) {
        if (cell->owner == step->thread) {
            return false;
        }
        share(cell);
    }
    refine(e, cell, step, write);
    cell->racy = cell->racy || (cell->phase == MODIFIED && cell->common == HD_LOCKSET_EMPTY);
    return cell->racy;
}

static bool access_periods(void *state, const struct hd_step *step) {
    struct eraser *e = state;
    struct cell *cell = &e->cells[step->obj];
    struct hd_met *met = &e->met[step->obj];
    bool write = hd_kind_writes(step->kind);
    hd_met_add(met, e->pass->arena, e->periods, step->period, write);
    if (cell->phase == VIRGIN) {
        cell->phase = EXCLUSIVE;
        cell->owner = step->period;
    }
    if (cell->phase == EXCLUSIVE) {
        if (cell->owner == step->period ||
            hd_period_before(e->periods, cell->owner, step->period)) {
            cell->owner = step->period;
            return false;
        }
        share(cell);
    }
    refine(e, cell, step, write);
    cell->racy = cell->racy || (cell->phase == MODIFIED && cell->common == HD_LOCKSET_EMPTY &&
                                (met->write_write || met->write_read));
    return cell->racy;
}

static bool access_praun_gross(void *state, const struct hd_step *step) {
    struct eraser *e = state;
    struct cell *cell = &e->cells[step->obj];
    if (cell->phase == VIRGIN) {
        cell->phase = EXCLUSIVE;
        cell->owner = step->thread;
    }
    if (cell->phase == EXCLUSIVE || cell->phase == EXCLUSIVE2) {
        if (cell->owner == step->thread) {
            return false;
        }
        if (cell->phase == EXCLUSIVE) {
            cell->phase = EXCLUSIVE2;
            cell->owner = step->thread;
            return false;
        }
        share(cell);
    }
    refine(e, cell, step, hd_kind_writes(step->kind));
    cell->racy = cell->racy || (cell->phase == MODIFIED && cell->common == HD_LOCKSET_EMPTY);
    return cell->racy;
}

static bool racy(const void *state, uint32_t granule) {
    return ((const struct eraser *)state)->cells[granule].racy;
}

const struct hd_detector_ops hd_detector_eraser = {
    .name = "eraser",
    .state_size = sizeof(struct eraser),
    .begin = begin,
    .access = access_eraser,
    .racy = racy,
};

const struct hd_detector_ops hd_detector_eraser_periods = {
    .name = "eraser-periods",
    .needs = HD_NEED_PERIODS,
    .state_size = sizeof(struct eraser),
    .begin = begin_periods,
    .access = access_periods,
    .racy = racy,
};

const struct hd_detector_ops hd_detector_praun_gross = {
    .name = "praun-gross",
    .state_size = sizeof(struct eraser),
    .begin = begin,
    .access = access_praun_gross,
    .racy = racy,
};

/* race_multilockset.c - Wang and Stoller's Fig. 3: several read sets, one write set, periods.
 *
 * Claim: some write's locks are disjoint from another access's, and some write
 * could have met another access. Misses nothing that locks and periods allow.
 * False alarms remain where the two halves of the claim hold for different
 * accesses; race_pairs.c has none of those.
 *
 * State per variable:
 *   reads   the minimal sets of locks held at reads (an antichain; of two
 *           comparable ones the smaller stays, since it is the unprotected one)
 *   write   locks held at all writes
 *   met     periods of reads and writes, and whether some were concurrent */
#include "checkers/race_multilockset.h"

#include "checkers/detector_open.h"
#include "checkers/met.h"

struct cell {
    struct hd_met met;
    uint32_t *reads;
    uint32_t read_count, read_room;
    uint32_t write;
    bool written;
    bool racy;
    uint8_t last_write; /* the access seen last: the same again changes nothing */
    bool begun;
    uint32_t last_period, last_held;
};

struct multilockset {
    struct hd_arena *arena;
    struct hd_locksets *locksets;
    struct hd_periods *periods;
    struct cell *cells;
};

static void begin(void *state, const struct hd_pass *pass, bool front) {
    struct multilockset *m = state;
    m->arena = pass->arena;
    m->locksets = hd_front_locksets(pass->front);
    m->periods = hd_front_periods(pass->front);
    m->cells = hd_arena_array(pass->arena, hd_trace_granules(pass->trace), sizeof *m->cells);
}

static void add_read(struct multilockset *m, struct cell *cell, uint32_t guards) {
    for (uint32_t i = 0; i < cell->read_count; i++) {
        if (hd_lockset_subset(m->locksets, cell->reads[i], guards)) {
            return;
        }
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < cell->read_count; i++) {
        if (!hd_lockset_subset(m->locksets, guards, cell->reads[i])) {
            cell->reads[kept++] = cell->reads[i];
        }
    }
    HD_ARENA_FIT(m->arena, cell->reads, cell->read_room, kept);
    cell->reads[kept] = guards;
    cell->read_count = kept + 1;
}

static bool judge(struct multilockset *m, const struct cell *cell) {
    if (!cell->written) {
        return false;
    }
    if (cell->write == HD_LOCKSET_EMPTY) {
        return cell->met.write_write || cell->met.write_read;
    }
    if (!cell->met.write_read) {
        return false;
    }
    for (uint32_t i = 0; i < cell->read_count; i++) {
        if (hd_lockset_disjoint(m->locksets, cell->reads[i], cell->write)) {
            return true;
        }
    }
    return false;
}

static bool access(void *state, const struct hd_step *step) {
    struct multilockset *m = state;
    struct cell *cell = &m->cells[step->obj];
    bool write = hd_kind_writes(step->kind);
    if (cell->begun && cell->last_period == step->period && cell->last_held == step->held &&
        cell->last_write == write) {
        return cell->racy;
    }
    cell->begun = true;
    cell->last_period = step->period;
    cell->last_held = step->held;
    cell->last_write = write;

    uint32_t guards = hd_lockset_guards(m->locksets, step->held, write);
    if (write) {
        cell->write = cell->written ? hd_lockset_meet(m->locksets, cell->write, guards) : guards;
        cell->written = true;
    } else {
        add_read(m, cell, guards);
    }
    hd_met_add(&cell->met, m->arena, m->periods, step->period, write);
    cell->racy = cell->racy || judge(m, cell);
    return cell->racy;
}

static bool racy(const void *state, uint32_t granule) {
    return ((const struct multilockset *)state)->cells[granule].racy;
}

uint32_t hd_multilockset_sets(const struct hd_detector *detector, uint32_t granule,
                              const uint32_t **reads, uint32_t *write) {
    const struct multilockset *m = detector->state;
    const struct cell *cell = &m->cells[granule];
    *reads = cell->reads;
    *write = cell->written ? cell->write : HD_LOCKSET_ALL;
    return cell->read_count;
}

const struct hd_detector_ops hd_detector_multilockset = {
    .name = "multilockset",
    .needs = HD_NEED_PERIODS,
    .state_size = sizeof(struct multilockset),
    .begin = begin,
    .access = access,
    .racy = racy,
};

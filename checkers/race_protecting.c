/* race_protecting.c - access- and write-protecting sets, after Flanagan and Freund.
 *
 * Claim: at this access no lock is held that protects it. A verdict is about an
 * access, not about a variable: a read that holds a lock which every write holds
 * is fine, although another read without it is not.
 *
 * State per variable: locks held at every access so far, locks held at every
 * write so far. With the front state, what one thread does before a second one
 * comes is not looked at; without it every unlocked write is racy at once.
 *
 * Not seen: order by fork, join, barriers. */
#include "checkers/detector.h"

struct cell {
    uint32_t access, write; /* protecting sets */
    uint32_t owner;         /* thread plus one, while there is only one */
    bool shared;
    bool racy;
    bool begun;
};

struct protecting {
    struct hd_locksets *locksets;
    struct cell *cells;
    bool front;
};

static void begin(void *state, const struct hd_pass *pass, bool front) {
    struct protecting *p = state;
    p->locksets = hd_front_locksets(pass->front);
    p->cells = hd_arena_array(pass->arena, hd_trace_granules(pass->trace), sizeof *p->cells);
    p->front = front;
}

static bool access(void *state, const struct hd_step *step) {
    struct protecting *p = state;
    struct cell *cell = &p->cells[step->obj];
    bool write = hd_kind_writes(step->kind);
    if (p->front && !cell->shared) {
        if (!cell->owner) {
            cell->owner = step->thread + 1u;
        }
        if (cell->owner == step->thread + 1u) {
            return false;
        }
        cell->shared = true;
    }
    if (!cell->begun) {
        cell->begun = true;
        cell->access = cell->write = HD_LOCKSET_ALL;
    }
    uint32_t guards = hd_lockset_guards(p->locksets, step->held, write);
    cell->access = hd_lockset_meet(p->locksets, cell->access, guards);
    bool racy;
    if (write) {
        cell->write = hd_lockset_meet(p->locksets, cell->write, guards);
        racy = cell->access == HD_LOCKSET_EMPTY;
    } else {
        racy = cell->write != HD_LOCKSET_ALL &&
               hd_lockset_disjoint(p->locksets, cell->write, guards);
    }
    cell->racy = cell->racy || racy;
    return racy;
}

static bool racy(const void *state, uint32_t granule) {
    return ((const struct protecting *)state)->cells[granule].racy;
}

const struct hd_detector_ops hd_detector_flanagan_freund = {
    .name = "flanagan-freund",
    .state_size = sizeof(struct protecting),
    .begin = begin,
    .access = access,
    .racy = racy,
};

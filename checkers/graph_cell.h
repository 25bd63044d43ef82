/* graph_cell.h - the last operations on one object: where edges come from.
 *
 * An object (variable, lock) has writers, which conflict with everybody, and
 * readers, which conflict with writers only. Kept are the last write and, for
 * each thread, its last read since then: an edge from anything older would only
 * repeat what follows from these.
 *
 * Most cells have one reader, and others a list. From HD_CELL_FEW on, or from a
 * sixteenth of all threads on, it is a row with a place for every thread. */
#ifndef HD_GRAPH_CELL_H
#define HD_GRAPH_CELL_H

#include "checkers/graph.h"

#define HD_CELL_FEW 8

struct hd_cell {
    struct hd_point write; /* node 0: none, or too old to matter */
    struct hd_point one;   /* the first reader, if `readers` */
    struct hd_point *more; /* the others: a list, or a row */
    uint64_t *there;       /* row: who is in it */
    uint32_t readers;
    uint32_t room;
    bool written;
};

/* The place of a thread among the readers, or NULL if it has not read since the
 * last write. */
static inline struct hd_point *hd_cell_reader(struct hd_cell *cell, uint32_t thread) {
    if (!cell->readers) return NULL;
    if (cell->one.op.thread == thread) return &cell->one;
    if (cell->there) {
        return cell->there[thread / 64] >> thread % 64 & 1 ? &cell->more[thread] : NULL;
    }
    for (uint32_t i = 0; i + 1 < cell->readers; i++) {
        if (cell->more[i].op.thread == thread) return &cell->more[i];
    }
    return NULL;
}

/* A place for a thread that is not yet among the readers. */
struct hd_point *hd_cell_more(struct hd_arena *arena, struct hd_cell *cell, uint32_t thread,
                              uint32_t threads);
static inline struct hd_point *hd_cell_add(struct hd_arena *arena, struct hd_cell *cell,
                                           uint32_t thread, uint32_t threads) {
    if (!cell->readers) {
        cell->readers = 1;
        return &cell->one;
    }
    return hd_cell_more(arena, cell, thread, threads);
}

/* Forget the readers: a write came. */
void hd_cell_forget_more(struct hd_cell *cell, uint32_t threads);
static inline void hd_cell_forget(struct hd_cell *cell, uint32_t threads) {
    if (cell->readers > 1) hd_cell_forget_more(cell, threads);
    cell->readers = 0;
}

/* All readers, one after the other: start with *at = 0, NULL at the end. */
struct hd_point *hd_cell_next(struct hd_cell *cell, uint32_t *at, uint32_t threads);

void hd_cell_mark(struct hd_graph *g, struct hd_cell *cell, uint32_t threads);

#endif

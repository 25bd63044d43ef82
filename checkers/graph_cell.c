/* graph_cell.c - cells with several readers (graph_cell.h). */
#include "checkers/graph_cell.h"

#include <string.h>

static void spread(struct hd_arena *arena, struct hd_cell *cell, uint32_t threads) {
    struct hd_point *row = hd_arena_array(arena, threads, sizeof *row);
    cell->there = hd_arena_array(arena, (threads + 63) / 64, sizeof *cell->there);
    for (uint32_t i = 0; i + 1 < cell->readers; i++) {
        uint32_t t = cell->more[i].op.thread;
        row[t] = cell->more[i];
        cell->there[t / 64] |= UINT64_C(1) << t % 64;
    }
    cell->more = row;
}

struct hd_point *hd_cell_more(struct hd_arena *arena, struct hd_cell *cell, uint32_t thread,
                              uint32_t threads) {
    uint32_t at = cell->readers - 1;
    if (!cell->there) {
        if (at < HD_CELL_FEW || at < threads / 16) {
            if (at >= cell->room) {
                uint32_t to = cell->room ? cell->room * 2u : 2;
                cell->more = hd_arena_grow(arena, cell->more, cell->room, to,
                                           sizeof *cell->more);
                cell->room = to;
            }
            cell->readers++;
            return &cell->more[at];
        }
        spread(arena, cell, threads);
    }
    cell->readers++;
    cell->there[thread / 64] |= UINT64_C(1) << thread % 64;
    return &cell->more[thread];
}

void hd_cell_forget_more(struct hd_cell *cell, uint32_t threads) {
    if (cell->there) memset(cell->there, 0, (threads + 63) / 64 * sizeof *cell->there);
}

struct hd_point *hd_cell_next(struct hd_cell *cell, uint32_t *at, uint32_t threads) {
    if (*at == 0) {
        *at = 1;
        if (cell->readers) return &cell->one;
    }
    if (!cell->there) {
        return *at < cell->readers ? &cell->more[(*at)++ - 1] : NULL;
    }
    for (uint32_t t = *at - 1; t < threads;) {
        uint64_t bits = cell->there[t / 64] >> t % 64;
        if (!bits) {
            t = (t / 64 + 1) * 64;
            continue;
        }
        t += (uint32_t)__builtin_ctzll(bits);
        *at = t + 2;
        return &cell->more[t];
    }
    *at = threads + 1;
    return NULL;
}

void hd_cell_mark(struct hd_graph *g, struct hd_cell *cell, uint32_t threads) {
    uint32_t at = 0;
    const struct hd_point *reader;
    hd_graph_mark(g, cell->write.node);
    while ((reader = hd_cell_next(cell, &at, threads))) hd_graph_mark(g, reader->node);
}

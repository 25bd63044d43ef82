/* graph_lock.c - the edges that locks give (graph_flow.h).
 *
 * HD_FLOW_ALL: a lock is like a variable that a release writes, or reads if it was
 * held as a reader, and that an acquire looks at.
 *
 * HD_FLOW_BOUNDARY: sections that reach across an end of a transaction are ordered
 * with all others; two sections that lie each within one transaction are not. So a
 * section across plays the writer and a section within the reader. A reader-writer
 * lock adds: shared sections are never ordered with each other, and an exclusive
 * one within is ordered with a shared one across. A section that lies outside of
 * all transactions is across nothing. Whether a section reaches across is known
 * only when a transaction begins or ends while it is open; then the edges into the
 * acquire are put in late. Its node must still be running then: that of an acquire
 * outside of transactions is kept so until the lock is let go or one begins. */
#include "checkers/graph_flow.h"

static bool is_shared(const struct hd_step *step) { return step->flags & HD_FLAG_READ; }

/* A release need not say how the lock was held; the acquisition it closes does. */
static bool was_shared(const struct hd_step *step) {
    for (const struct hd_hold *hold = step->holds; hold; hold = hold->below) {
        if (hold->acq == step->acq) return !HD_LOCK_IS_EXCLUSIVE(hold->element);
    }
    return is_shared(step);
}

/* Edges from all readers of a cell but the thread itself. */
static void after_readers(struct hd_flow *flow, struct hd_cell *cell, uint32_t thread,
                          const struct hd_access *op) {
    uint32_t at = 0;
    const struct hd_point *p;
    while ((p = hd_cell_next(cell, &at, flow->thread_count))) {
        if (p->op.thread != thread) hd_flow_after(flow, thread, p, op);
    }
}

static void read_cell(struct hd_flow *flow, struct hd_cell *cell, uint32_t thread, hd_node node,
                      const struct hd_access *op) {
    struct hd_point *place = hd_cell_reader(cell, thread);
    if (!place) place = hd_cell_add(flow->arena, cell, thread, flow->thread_count);
    place->node = node;
    place->op = *op;
}

static void write_cell(struct hd_flow *flow, struct hd_cell *cell, hd_node node,
                       const struct hd_access *op) {
    hd_cell_forget(cell, flow->thread_count);
    cell->write.node = node;
    cell->write.op = *op;
    cell->written = true;
}

static void after_write(struct hd_flow *flow, struct hd_cell *cell, uint32_t thread,
                        const struct hd_access *op) {
    if (cell->written && cell->write.op.thread != thread) {
        hd_flow_after(flow, thread, &cell->write, op);
    }
}

/* ---- boundary --------------------------------------------------------------- */

/* The two further cells of a lock that is held by readers, from its first reader
 * on; until then, all sections within a transaction were exclusive. */
static struct hd_cell *inner(struct hd_flow *flow, struct hd_flow_sync *sync) {
    if (!sync->inner) {
        uint32_t at = 0;
        const struct hd_point *p;
        sync->inner = hd_arena_array(flow->arena, 2, sizeof *sync->inner);
        while ((p = hd_cell_next(&sync->cell, &at, flow->thread_count))) {
            read_cell(flow, &sync->inner[0], p->op.thread, p->node, &p->op);
        }
    }
    return sync->inner;
}

/* An edge into an acquire, whose node may not be where the thread is now. */
static void into(struct hd_flow *flow, uint32_t thread, const struct hd_point *from,
                 const struct hd_access *op, hd_node node) {
    if (from->op.thread != thread && hd_graph_edge(flow->graph, from, op, node)) {
        flow->on_cycle(flow->context, from, op, thread, node);
    }
}

static void into_all(struct hd_flow *flow, uint32_t thread, struct hd_cell *cell,
                     const struct hd_access *op, hd_node node) {
    uint32_t at = 0;
    const struct hd_point *p;
    while ((p = hd_cell_next(cell, &at, flow->thread_count))) into(flow, thread, p, op, node);
}

static struct hd_flow_section *find_section(struct hd_flow_thread *t, uint32_t lock) {
    for (size_t i = t->section_count; i-- > 0;) {
        if (t->sections[i].lock == lock) return &t->sections[i];
    }
    return NULL;
}

static void acquire_boundary(struct hd_flow *flow, const struct hd_step *step,
                             struct hd_flow_sync *sync, uint32_t lock,
                             const struct hd_access *op) {
    uint32_t id = step->thread;
    struct hd_flow_thread *t = &flow->threads[id];
    bool shared = is_shared(step);
    if (shared) inner(flow, sync);
    struct hd_flow_section section = {*op, lock, shared, false, 0};
    if (!t->now) {
        section.alone = hd_graph_open(flow->graph, &t->last, op, HD_NO_ID);
        t->last = (struct hd_point){section.alone, *op};
        t->seen = true;
    }
    hd_node node = t->now ? t->now : section.alone;
    if (!hd_cell_reader(&sync->cell, id)) into(flow, id, &sync->cell.write, op, node);
    if (!shared && sync->inner) into_all(flow, id, &sync->inner[1], op, node);
    if (t->now) t->last.op = *op;
    HD_ARENA_FIT(flow->arena, t->sections, t->section_room, t->section_count);
    t->sections[t->section_count++] = section;
}

static void release_boundary(struct hd_flow *flow, struct hd_flow_sync *sync, uint32_t id,
                             uint32_t lock, const struct hd_access *op) {
    struct hd_flow_thread *t = &flow->threads[id];
    struct hd_flow_section *s = find_section(t, lock);
    hd_flow_op_begin(flow, id);
    hd_node node = hd_flow_op_end(flow, id, op);
    if (!s) return;
    struct hd_flow_section section = *s;
    *s = t->sections[--t->section_count];
    if (section.alone) hd_graph_close(flow->graph, section.alone);
    if (!section.shared && section.across) {
        write_cell(flow, &sync->cell, node, op);
        if (sync->inner) {
            hd_cell_forget(&sync->inner[0], flow->thread_count);
            hd_cell_forget(&sync->inner[1], flow->thread_count);
        }
        return;
    }
    read_cell(flow, &sync->cell, id, node, op);
    if (!sync->inner) return;
    if (!section.shared) read_cell(flow, &sync->inner[0], id, node, op);
    else if (section.across) read_cell(flow, &sync->inner[1], id, node, op);
}

void hd_flow_boundary(struct hd_flow *flow, uint32_t thread) {
    struct hd_flow_thread *t = &flow->threads[thread];
    for (size_t i = 0; i < t->section_count; i++) {
        struct hd_flow_section *s = &t->sections[i];
        if (s->across) continue;
        s->across = true;
        struct hd_flow_sync *sync = &flow->syncs[s->lock];
        hd_node node = s->alone ? s->alone : t->now;
        if (!node) continue; /* its thread went on after its stop: an odd trace */
        if (!s->shared) into_all(flow, thread, &sync->cell, &s->op, node);
        else if (sync->inner) into_all(flow, thread, &sync->inner[0], &s->op, node);
        if (s->alone) hd_graph_close(flow->graph, s->alone);
        s->alone = 0;
    }
}

/* ---- both ----------------------------------------------------------------------- */

void hd_flow_acquire(struct hd_flow *flow, const struct hd_step *step, uint32_t lock,
                     const struct hd_access *op) {
    struct hd_flow_sync *sync = &flow->syncs[lock];
    struct hd_cell *cell = &sync->cell;
    uint32_t id = step->thread;
    if (flow->locks == HD_FLOW_BOUNDARY) {
        acquire_boundary(flow, step, sync, lock, op);
        return;
    }
    hd_flow_op_begin(flow, id);
    if (!is_shared(step) && cell->readers) after_readers(flow, cell, id, op);
    if (!hd_cell_reader(cell, id)) after_write(flow, cell, id, op);
    hd_flow_op_end(flow, id, op);
}

void hd_flow_release(struct hd_flow *flow, const struct hd_step *step, uint32_t lock,
                     const struct hd_access *op) {
    struct hd_flow_sync *sync = &flow->syncs[lock];
    uint32_t id = step->thread;
    if (flow->locks == HD_FLOW_BOUNDARY) {
        release_boundary(flow, sync, id, lock, op);
        return;
    }
    hd_flow_op_begin(flow, id);
    hd_node node = hd_flow_op_end(flow, id, op);
    if (was_shared(step)) read_cell(flow, &sync->cell, id, node, op);
    else write_cell(flow, &sync->cell, node, op);
}

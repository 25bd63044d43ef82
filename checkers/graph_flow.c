/* graph_flow.c - accesses, and who does what with a step (graph_flow.h). */
#include "checkers/graph_flow.h"

static void roots(void *context) {
    struct hd_flow *flow = context;
    for (uint32_t t = 0; t < flow->thread_count; t++) {
        hd_graph_mark(flow->graph, flow->threads[t].last.node);
        hd_graph_mark(flow->graph, flow->threads[t].now);
    }
    for (uint32_t v = 0; v < flow->variable_count; v++) {
        hd_cell_mark(flow->graph, &flow->variables[v], flow->thread_count);
    }
    hd_flow_sync_roots(flow);
}

void hd_flow_begin(struct hd_flow *flow, const struct hd_pass *pass, enum hd_flow_locks locks) {
    flow->arena = pass->arena;
    flow->trace = pass->trace;
    flow->locks = locks;
    flow->thread_count = hd_trace_threads(pass->trace);
    flow->variable_count = hd_trace_granules(pass->trace);
    flow->sync_count = hd_front_locks(pass->front);
    flow->tm = hd_front_tm(pass->front);
    flow->threads = hd_arena_array(flow->arena, flow->thread_count, sizeof *flow->threads);
    flow->variables =
        hd_arena_array(flow->arena, flow->variable_count, sizeof *flow->variables);
    flow->syncs = hd_arena_array(flow->arena, flow->sync_count, sizeof *flow->syncs);
    size_t references = (size_t)flow->variable_count * 2 + flow->sync_count;
    flow->graph = hd_graph_new(flow->arena, references, roots, flow);
}

/* An access to several granules is one operation: outside of transactions, too, it has
 * one node, into which edges may come for each of them. */
static void end_parts(struct hd_flow *flow, struct hd_flow_thread *t) {
    if (!t->parts) return;
    hd_graph_close(flow->graph, t->now);
    t->now = 0;
    t->parts = false;
}

hd_node hd_flow_open(struct hd_flow *flow, uint32_t thread, const struct hd_access *op,
                     uint32_t region) {
    struct hd_flow_thread *t = &flow->threads[thread];
    end_parts(flow, t);
    if (flow->locks == HD_FLOW_BOUNDARY) hd_flow_boundary(flow, thread);
    t->now = hd_graph_open(flow->graph, &t->last, op, region);
    t->last.node = t->now;
    t->last.op = *op;
    t->seen = true;
    return t->now;
}

void hd_flow_leave(struct hd_flow *flow, uint32_t thread, bool close, bool cut_off) {
    struct hd_flow_thread *t = &flow->threads[thread];
    hd_node node = t->now;
    if (flow->locks == HD_FLOW_BOUNDARY && !cut_off) hd_flow_boundary(flow, thread);
    t->now = 0;
    if (close) hd_graph_close(flow->graph, node);
}

static inline void access_step(struct hd_flow *flow, const struct hd_step *step,
                               const struct hd_access *op) {
    struct hd_cell *cell = &flow->variables[step->obj];
    uint32_t t = step->thread, at = 0;
    struct hd_point *place;
    hd_flow_op_begin(flow, t);
    if (!hd_kind_writes(step->kind)) {
        place = hd_cell_reader(cell, t);
        if (!place && cell->written && cell->write.op.thread != t) {
            hd_flow_after(flow, t, &cell->write, op);
        }
        hd_node node = hd_flow_op_end(flow, t, op);
        if (!place) place = hd_cell_add(flow->arena, cell, t, flow->thread_count);
        place->node = node;
        place->op = *op;
        return;
    }
    if (!cell->readers) {
        if (cell->written && cell->write.op.thread != t) {
            hd_flow_after(flow, t, &cell->write, op);
        }
    } else if (cell->readers > 1 || cell->one.op.thread != t) {
        while ((place = hd_cell_next(cell, &at, flow->thread_count))) {
            if (place->op.thread != t) hd_flow_after(flow, t, place, op);
        }
    }
    hd_cell_forget(cell, flow->thread_count);
    cell->write.node = hd_flow_op_end(flow, t, op);
    cell->write.op = *op;
    cell->written = true;
}

void hd_flow_quiet(struct hd_flow *flow, const struct hd_step *step, const struct hd_access *op) {
    struct hd_cell *cell = &flow->variables[step->obj];
    uint32_t t = step->thread;
    hd_flow_op_begin(flow, t);
    struct hd_point point = {hd_flow_op_end(flow, t, op), *op};
    if (hd_kind_writes(step->kind)) {
        hd_cell_forget(cell, flow->thread_count);
        cell->write = point;
        cell->written = true;
        return;
    }
    struct hd_point *place = hd_cell_reader(cell, t);
    if (!place) place = hd_cell_add(flow->arena, cell, t, flow->thread_count);
    *place = point;
}

static void access_parts(struct hd_flow *flow, const struct hd_step *step,
                         const struct hd_access *op) {
    struct hd_flow_thread *t = &flow->threads[step->thread];
    if (!(step->marks & HD_MARK_PART)) end_parts(flow, t);
    if (!t->now && (step->marks & HD_MARK_MORE)) {
        t->now = hd_graph_open(flow->graph, &t->last, op, HD_NO_ID);
        t->parts = true;
    }
    access_step(flow, step, op);
    if (!(step->marks & HD_MARK_MORE)) end_parts(flow, t);
}

void hd_flow_step(struct hd_flow *flow, const struct hd_step *step, const struct hd_access *op) {
    switch (step->kind) {
    case HD_READ:
    case HD_WRITE:
    case HD_VREAD:
    case HD_VWRITE:
    case HD_VRMW: access_parts(flow, step, op); return;
    default: end_parts(flow, &flow->threads[step->thread]);
    }
    switch (step->kind) {
    case HD_ACQUIRE:
        if (!(step->marks & HD_MARK_REENTRANT)) hd_flow_acquire(flow, step, step->obj, op);
        break;
    case HD_RELEASE:
        if (!(step->marks & HD_MARK_REENTRANT)) hd_flow_release(flow, step, step->obj, op);
        break;
    case HD_TXBEGIN:
        if (!(step->marks & HD_MARK_REENTRANT)) hd_flow_acquire(flow, step, flow->tm, op);
        break;
    case HD_TXEND:
        if (!(step->marks & HD_MARK_REENTRANT)) hd_flow_release(flow, step, flow->tm, op);
        break;
    case HD_FORK:
    case HD_JOIN:
    case HD_BARRIER:
    case HD_BLEAVE:
    case HD_POST:
    case HD_PEND:
    case HD_WAIT:
    case HD_WAKE:
    case HD_NOTIFY:
    case HD_NOTIFYALL:
    case HD_ONCE: hd_flow_sync(flow, step, op); break;
    default: break;
    }
}

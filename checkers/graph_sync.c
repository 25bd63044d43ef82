/* graph_sync.c - the edges of fork, join, barriers, semaphores, conditions, once. */
#include "checkers/graph_flow.h"

#define QUEUE_LONG 4096      /* from here on, permits of one node are counted, not listed */
#define QUEUE_MOST (1u << 20) /* from here on, of all: nobody will take so many */

static void push(struct hd_flow *flow, struct hd_flow_queue *q, const struct hd_point *point) {
    if (q->first && q->first + q->count == q->room) {
        for (size_t i = 0; i < q->count; i++) q->at[i] = q->at[q->first + i];
        q->first = 0;
    }
    if (q->count) {
        struct hd_flow_queued *tail = &q->at[q->first + q->count - 1];
        bool gone = !hd_graph_has(flow->graph, tail->point.node) &&
                    !hd_graph_has(flow->graph, point->node);
        bool same = q->count > QUEUE_LONG && tail->point.node == point->node;
        if (gone || same || q->count > QUEUE_MOST) {
            tail->times++;
            return;
        }
    }
    HD_ARENA_FIT(flow->arena, q->at, q->room, q->first + q->count);
    q->at[q->first + q->count++] = (struct hd_flow_queued){*point, 1};
}

static bool pop(struct hd_flow_queue *q, struct hd_point *point) {
    if (!q->count) return false;
    struct hd_flow_queued *head = &q->at[q->first];
    *point = head->point;
    if (--head->times == 0) {
        q->first++;
        if (--q->count == 0) q->first = 0;
    }
    return true;
}

static struct hd_flow_arrivals *episode(struct hd_flow_sync *sync, uint32_t number) {
    struct hd_flow_arrivals *a = &sync->arrivals[number & 1];
    if (a->episode != number) {
        a->episode = number;
        a->count = 0;
    }
    return a;
}

static void barrier_step(struct hd_flow *flow, const struct hd_step *step,
                         const struct hd_access *op) {
    struct hd_flow_arrivals *a = episode(&flow->syncs[step->obj], step->aux);
    uint32_t t = step->thread;
    hd_flow_op_begin(flow, t);
    if (step->kind == HD_BLEAVE) {
        for (size_t i = 0; i < a->count; i++) {
            if (a->at[i].op.thread != t) hd_flow_after(flow, t, &a->at[i], op);
        }
        hd_flow_op_end(flow, t, op);
        return;
    }
    struct hd_point point = {hd_flow_op_end(flow, t, op), *op};
    size_t at = 0;
    while (at < a->count && a->at[at].op.thread != t) at++; /* twice, in an odd trace */
    HD_ARENA_FIT(flow->arena, a->at, a->room, at);
    a->at[at] = point;
    a->count += at == a->count;
}

static void semaphore_step(struct hd_flow *flow, const struct hd_step *step,
                           const struct hd_access *op) {
    struct hd_flow_sync *sync = &flow->syncs[step->obj];
    uint32_t t = step->thread;
    if (!sync->counted) {
        sync->counted = true;
        uint32_t initial = hd_trace_sync(flow->trace, step->obj)->initial;
        sync->permits = initial == HD_NO_ID ? 0 : initial;
    }
    hd_flow_op_begin(flow, t);
    if (step->kind == HD_POST) {
        struct hd_point point = {hd_flow_op_end(flow, t, op), *op};
        push(flow, &sync->queue, &point);
        return;
    }
    struct hd_point supplier;
    if (sync->permits) sync->permits--;
    else if (pop(&sync->queue, &supplier)) hd_flow_after(flow, t, &supplier, op);
    hd_flow_op_end(flow, t, op);
}

/* ---- conditions ------------------------------------------------------------------ */

static void begin_wait(struct hd_flow *flow, const struct hd_step *step) {
    struct hd_flow_sync *sync = &flow->syncs[step->obj];
    size_t at = 0;
    while (at < sync->waiter_count && sync->waiters[at].thread != step->thread) at++;
    HD_ARENA_FIT(flow->arena, sync->waiters, sync->waiter_room, at);
    sync->waiters[at] = (struct hd_flow_waiter){.since = step->seq, .thread = step->thread};
    sync->waiter_count += at == sync->waiter_count;
}

/* Who woke it; false: nobody that we know of (a deadline, a spurious wake-up). */
static bool end_wait(struct hd_flow *flow, const struct hd_step *step, struct hd_point *by) {
    struct hd_flow_sync *sync = &flow->syncs[step->obj];
    bool found = false;
    for (size_t i = 0; i < sync->waiter_count; i++) {
        struct hd_flow_waiter *w = &sync->waiters[i];
        if (w->thread != step->thread) continue;
        if (w->signalled) {
            *by = w->by;
            found = true;
        }
        struct hd_flow_queue *q = &sync->queue;
        for (size_t n = 0; n < q->count && !found; n++) {
            struct hd_flow_queued *signal = &q->at[q->first + n];
            if (signal->point.op.seq < w->since) continue;
            *by = signal->point;
            found = true;
            for (size_t m = n; m + 1 < q->count; m++) q->at[q->first + m] = q->at[q->first + m + 1];
            q->count--;
        }
        for (size_t m = i; m + 1 < sync->waiter_count; m++) sync->waiters[m] = sync->waiters[m + 1];
        sync->waiter_count--;
        break;
    }
    if (!sync->waiter_count) sync->queue.first = sync->queue.count = 0;
    return found;
}

static void notify_step(struct hd_flow *flow, const struct hd_step *step,
                        const struct hd_access *op) {
    struct hd_flow_sync *sync = &flow->syncs[step->obj];
    hd_flow_op_begin(flow, step->thread);
    struct hd_point point = {hd_flow_op_end(flow, step->thread, op), *op};
    size_t unsignalled = 0;
    for (size_t i = 0; i < sync->waiter_count; i++) {
        struct hd_flow_waiter *w = &sync->waiters[i];
        if (w->signalled) continue;
        unsignalled++;
        if (step->kind == HD_NOTIFYALL) {
            w->signalled = true;
            w->by = point;
        }
    }
    if (step->kind == HD_NOTIFYALL) {
        sync->queue.first = sync->queue.count = 0;
    } else if (sync->queue.count < unsignalled) { /* else nobody is left to be woken */
        HD_ARENA_FIT(flow->arena, sync->queue.at, sync->queue.room,
                     sync->queue.first + sync->queue.count);
        sync->queue.at[sync->queue.first + sync->queue.count++] =
            (struct hd_flow_queued){point, 1};
    }
}

static void wake_step(struct hd_flow *flow, const struct hd_step *step,
                      const struct hd_access *op) {
    struct hd_point by;
    if (end_wait(flow, step, &by)) {
        hd_flow_op_begin(flow, step->thread);
        hd_flow_after(flow, step->thread, &by, op);
        hd_flow_op_end(flow, step->thread, op);
    }
    if (step->acq != HD_NO_ID && !(step->marks & HD_MARK_REENTRANT)) {
        hd_flow_acquire(flow, step, step->aux, op);
    }
}

/* ---- who it is ----------------------------------------------------------------------- */

void hd_flow_sync(struct hd_flow *flow, const struct hd_step *step, const struct hd_access *op) {
    uint32_t t = step->thread;
    struct hd_flow_thread *other;
    switch (step->kind) {
    case HD_FORK:
        other = &flow->threads[step->obj];
        hd_flow_op_begin(flow, t);
        hd_flow_op_end(flow, t, op);
        if (!other->seen) other->last = flow->threads[t].last;
        break;
    case HD_JOIN:
        other = &flow->threads[step->obj];
        hd_flow_op_begin(flow, t);
        hd_flow_after(flow, t, &other->last, op);
        hd_flow_op_end(flow, t, op);
        break;
    case HD_BARRIER:
    case HD_BLEAVE: barrier_step(flow, step, op); break;
    case HD_POST:
    case HD_PEND: semaphore_step(flow, step, op); break;
    case HD_WAIT:
        if (step->acq != HD_NO_ID) hd_flow_release(flow, step, step->aux, op);
        begin_wait(flow, step);
        break;
    case HD_WAKE: wake_step(flow, step, op); break;
    case HD_NOTIFY:
    case HD_NOTIFYALL: notify_step(flow, step, op); break;
    case HD_ONCE: {
        struct hd_cell *cell = &flow->syncs[step->obj].cell;
        bool ran_before = step->flags & HD_FLAG_TRY;
        hd_flow_op_begin(flow, t);
        if (ran_before && cell->written) hd_flow_after(flow, t, &cell->write, op);
        hd_node node = hd_flow_op_end(flow, t, op);
        if (!ran_before) {
            cell->write = (struct hd_point){node, *op};
            cell->written = true;
        }
        break;
    }
    }
}

void hd_flow_sync_roots(struct hd_flow *flow) {
    for (uint32_t s = 0; s < flow->sync_count; s++) {
        struct hd_flow_sync *sync = &flow->syncs[s];
        hd_cell_mark(flow->graph, &sync->cell, flow->thread_count);
        for (int i = 0; i < 2 && sync->inner; i++) {
            hd_cell_mark(flow->graph, &sync->inner[i], flow->thread_count);
        }
        for (size_t i = 0; i < sync->queue.count; i++) {
            hd_graph_mark(flow->graph, sync->queue.at[sync->queue.first + i].point.node);
        }
        for (int i = 0; i < 2; i++) {
            for (size_t n = 0; n < sync->arrivals[i].count; n++) {
                hd_graph_mark(flow->graph, sync->arrivals[i].at[n].node);
            }
        }
        for (size_t i = 0; i < sync->waiter_count; i++) {
            hd_graph_mark(flow->graph, sync->waiters[i].by.node);
        }
    }
}

/* velodrome_again.c - the operations once more, for the judge (velodrome_again.h). */
#include "checkers/velodrome_again.h"

#include "checkers/judge.h"

#include <stdlib.h>

#define OP_BYTES 640 /* of the judge's memory: its nodes and pairs, with room to spare */

void hd_again_begin(struct hd_again *a, const struct hd_pass *pass) {
    a->arena = pass->arena;
    a->trace = pass->trace;
    a->tm = hd_front_tm(pass->front);
}

static struct hd_again_op op_of(const struct hd_again *a, const struct hd_step *step) {
    return (struct hd_again_op){hd_flow_op(step), a->groups[step->thread], step->aux, step->region,
                                step->marks, step->acq != HD_NO_ID};
}

/* True: it is an access to what nobody else has accessed yet, and is kept as such. */
static bool keep_own(struct hd_again *a, const struct hd_step *step) {
    if (!hd_kind_is_access(step->kind)) return false;
    HD_ARENA_FIT(a->arena, a->variables, a->variable_room, step->obj);
    struct hd_again_variable *v = &a->variables[step->obj];
    uint16_t who = (uint16_t)(step->thread + 1);
    if (v->shared) return false;
    if (v->owner && v->owner != who) {
        v->shared = true;
        for (int i = 0; i < 2; i++) {
            if (!v->last[i]) continue;
            HD_ARENA_FIT(a->arena, a->late, a->late_room, a->late_count);
            a->late[a->late_count++] = a->own[v->last[i] - 1];
        }
        return false;
    }
    v->owner = who;
    uint32_t *last = &v->last[hd_kind_writes(step->kind)];
    if (!*last) {
        HD_ARENA_FIT(a->arena, a->own, a->own_room, a->own_count);
        *last = (uint32_t)++a->own_count;
    }
    a->own[*last - 1] = op_of(a, step);
    return true;
}

void hd_again_note_slow(struct hd_again *a, const struct hd_step *step) {
    HD_ARENA_FIT(a->arena, a->groups, a->group_room, step->thread);
    if (!(step->marks & HD_MARK_PART)) a->groups[step->thread] = step->seq;
    if (keep_own(a, step)) return;
    if (a->count + a->late_count >= HD_AGAIN_MOST) {
        a->over = true;
        return;
    }
    HD_ARENA_FIT(a->arena, a->ops, a->room, a->count);
    a->ops[a->count++] = op_of(a, step);
}

static int by_order(const void *x, const void *y) {
    const struct hd_again_op *a = x, *b = y;
    if (a->op.seq != b->op.seq) return a->op.seq < b->op.seq ? -1 : 1;
    return (a->op.obj > b->op.obj) - (a->op.obj < b->op.obj);
}

/* The late ones in their places. */
static void merge(struct hd_again *a) {
    size_t total = a->count + a->late_count, i = 0, k = 0;
    struct hd_again_op *all = hd_arena_array(a->arena, total ? total : 1, sizeof *all);
    if (a->late_count) qsort(a->late, a->late_count, sizeof *a->late, by_order);
    for (size_t n = 0; n < total; n++) {
        bool late = i == a->count || (k < a->late_count && a->late[k].op.seq < a->ops[i].op.seq);
        all[n] = late ? a->late[k++] : a->ops[i++];
    }
    a->ops = all;
    a->count = a->room = total;
    a->late_count = 0;
}

/* Once is like a variable: who ran it writes. Names of variables end well below. */
static uint64_t once_name(uint32_t sync) { return UINT64_C(1) << 40 | sync; }

static void tell_lock(const struct hd_again *a, struct hd_judge *j, const struct hd_again_op *o) {
    uint32_t lock = o->op.obj;
    if (o->op.kind == HD_TXBEGIN || o->op.kind == HD_TXEND) lock = a->tm;
    if (o->op.kind == HD_WAIT || o->op.kind == HD_WAKE) lock = o->aux;
    bool takes = o->op.kind == HD_ACQUIRE || o->op.kind == HD_TXBEGIN || o->op.kind == HD_WAKE;
    if (o->marks & HD_MARK_REENTRANT) return;
    if (takes) hd_judge_lock(j, o->op.thread, lock, o->op.flags & HD_FLAG_READ, o->op.seq);
    else hd_judge_unlock(j, o->op.thread, lock, o->op.seq);
}

static void tell(const struct hd_again *a, struct hd_judge *j, const struct hd_again_op *o) {
    uint32_t t = o->op.thread, obj = o->op.obj;
    bool parts = hd_kind_is_access(o->op.kind) && (o->marks & (HD_MARK_MORE | HD_MARK_PART));
    uint64_t seq = parts ? o->group : o->op.seq;
    if (parts) hd_judge_parts(j, t, seq);
    switch (o->op.kind) {
    case HD_STEP_OPEN: hd_judge_begin(j, t, o->region, seq); break;
    case HD_STEP_CLOSE:
        if (!(o->marks & HD_MARK_INCOMPLETE)) hd_judge_end(j, t, seq);
        break;
    case HD_READ:
    case HD_VREAD: hd_judge_access(j, t, obj, false, seq); break;
    case HD_WRITE:
    case HD_VWRITE:
    case HD_VRMW: hd_judge_access(j, t, obj, true, seq); break;
    case HD_ACQUIRE:
    case HD_RELEASE:
    case HD_TXBEGIN:
    case HD_TXEND: tell_lock(a, j, o); break;
    case HD_FORK: hd_judge_fork(j, t, obj, seq); break;
    case HD_JOIN: hd_judge_join(j, t, obj, seq); break;
    case HD_BARRIER: hd_judge_arrive(j, t, obj, o->aux, seq); break;
    case HD_BLEAVE: hd_judge_depart(j, t, obj, o->aux, seq); break;
    case HD_POST: hd_judge_post(j, t, obj, seq); break;
    case HD_PEND: hd_judge_pend(j, t, obj, seq); break;
    case HD_WAIT:
        if (o->lock) tell_lock(a, j, o);
        hd_judge_wait(j, t, obj, seq);
        break;
    case HD_WAKE:
        hd_judge_wake(j, t, obj, seq);
        if (o->lock) tell_lock(a, j, o);
        break;
    case HD_NOTIFY:
    case HD_NOTIFYALL:
        hd_judge_signal(j, t, obj, o->op.kind == HD_NOTIFYALL, seq);
        break;
    case HD_ONCE:
        hd_judge_access(j, t, once_name(obj), !(o->op.flags & HD_FLAG_TRY), seq);
        break;
    }
}

/* The operation with this number; of several granules the first that is kept. */
static struct hd_access find(const struct hd_again *a, uint64_t seq) {
    size_t low = 0, high = a->count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (a->ops[mid].op.seq < seq) low = mid + 1;
        else high = mid;
    }
    while (low < a->count && a->ops[low].op.seq == seq && a->ops[low].op.kind >= HD_KIND_COUNT) {
        low++;
    }
    if (low < a->count && (a->ops[low].op.seq == seq || a->ops[low].group == seq)) return a->ops[low].op;
    return (struct hd_access){.seq = seq, .obj = HD_NO_ID, .site = HD_NO_ID,
                              .function = HD_NO_ID, .held = 0, .txn = HD_NO_ID,
                              .kind = HD_BEGIN};
}

static void fill(const struct hd_again *a, const struct hd_judge_victim *v,
                 struct hd_cycle *cycle) {
    uint32_t shown = v->stop_count < HD_GRAPH_LONG ? v->stop_count : HD_GRAPH_LONG;
    cycle->count = shown + 1;
    cycle->stops[0] = (struct hd_stop){find(a, v->returns), find(a, v->leaves),
                                       (uint32_t)v->label, false, shown < v->stop_count};
    for (uint32_t i = 0; i < shown; i++) {
        /* Of a long way the last part: it ends where the victim is come back to. */
        const struct hd_judge_stop *s = &v->stops[v->stop_count - shown + i];
        bool unary = s->label == HD_JUDGE_NO_LABEL;
        cycle->stops[i + 1] = (struct hd_stop){find(a, s->in), find(a, s->out),
                                               unary ? HD_NO_ID : (uint32_t)s->label, unary,
                                               false};
    }
}

static bool every(void *context, uint64_t region) {
    (void)context;
    (void)region;
    return true;
}

void hd_again_decide(struct hd_again *a,
                     void (*blame)(void *context, const struct hd_cycle *cycle), void *context) {
    merge(a);
    size_t size = HD_JUDGE_LEAST * 4 + a->count * OP_BYTES;
    struct hd_judge *j = hd_judge_new(hd_arena_get(a->arena, size), size);
    for (uint32_t s = 0; s < hd_trace_syncs(a->trace); s++) {
        const struct hd_sync *sync = hd_trace_sync(a->trace, s);
        if (sync->initial && sync->initial != HD_NO_ID && sync->kind != HD_SYNC_BARRIER) {
            hd_judge_semaphore(j, s, sync->initial);
        }
    }
    for (size_t i = 0; i < a->count; i++) tell(a, j, &a->ops[i]);
    const struct hd_judge_victim *v = hd_judge_decide_for(j, every, NULL); /* one a region */
    a->over |= hd_judge_full(j);
    for (; v; v = v->next) {
        struct hd_cycle cycle;
        fill(a, v, &cycle);
        blame(context, &cycle);
    }
}

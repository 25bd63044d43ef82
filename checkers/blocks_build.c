/* blocks_build.c - 1v-blocks as the accesses come; the end of a transaction.
 *
 * After Wang and Stoller, sections 6.1 and 6.6. Departures: the dummy is per
 * variable, not per transaction; an atomic read-and-write is two accesses between
 * which nothing fits; rule (e) closes the hole that escape analysis leaves.
 *
 * A block waits until it is known whether its last write is the final one: that
 * is, until the next write of the variable (then it is not) or the end. */
#include "checkers/blocks_build.h"

#include <stdlib.h>
#include <string.h>

#define INITIAL_MAX 8 /* initial reads kept per variable; by rule (b) one would do */
#define ALIKE_MAX 8   /* how far back waiting blocks are searched for an equal one */

struct hd_blocks_var {
    uint32_t granule;
    uint32_t accesses;
    bool written, read;
    struct hd_blocks_entry last_read, last_write;
    uint32_t first_initial, initial_count; /* in reads, linked */
    uint32_t waits;                        /* by rule (a) */
    uint32_t final_waits;                  /* by rule (b): the second is last_write */
    uint32_t next_hidden;                  /* of the same object */
};

struct hd_blocks_wait {
    struct hd_blocks_event event[2];
    uint32_t granule;
    uint32_t held[2];
    uint32_t held12, gap;
    uint32_t segment[2];
    uint8_t op[2];
    uint8_t flags;
    uint32_t next;
};

/* ---- blocks that wait -------------------------------------------------- */

static uint32_t new_wait(struct hd_blocks_builder *b, struct hd_arena *arena) {
    if (b->wait_free != HD_BLOCKS_NONE) {
        uint32_t id = b->wait_free;
        b->wait_free = b->waits[id].next;
        return id;
    }
    HD_ARENA_FIT(arena, b->waits, b->wait_room, b->wait_count);
    return b->wait_count++;
}

static void free_waits(struct hd_blocks_builder *b, uint32_t *list) {
    while (*list != HD_BLOCKS_NONE) {
        uint32_t id = *list;
        *list = b->waits[id].next;
        b->waits[id].next = b->wait_free;
        b->wait_free = id;
    }
}

static bool says_the_same(const struct hd_blocks_wait *a, const struct hd_blocks_wait *b,
                          bool shapes) {
    return a->op[0] == b->op[0] && a->op[1] == b->op[1] && a->flags == b->flags &&
           a->held[0] == b->held[0] && a->held[1] == b->held[1] &&
           a->held12 == b->held12 && a->gap == b->gap &&
           (!shapes ||
            (a->segment[0] == b->segment[0] && a->segment[1] == b->segment[1]));
}

/* A block of `first` and the access made just now. */
static void wait_for(struct hd_blocks_builder *b, struct hd_blocks_sink *sink,
                     uint32_t *list, const struct hd_blocks_entry *first,
                     const struct hd_blocks_entry *second) {
    struct hd_blocks_wait w = {.event = {first->event, second->event},
                               .granule = first->granule,
                               .held = {first->held, second->held},
                               .segment = {first->segment, second->segment},
                               .op = {first->op, second->op}};
    if (first->pseudo) w.flags |= HD_BLOCKS_PSEUDO1;
    if (first->event.seq == second->event.seq && !first->pseudo)
        w.flags |= HD_BLOCKS_INSTANT;
    w.held12 = hd_blocks_held_since(b, sink->store->sets, first->segment);
    if (sink->gaps) {
        b->held[b->segment] = second->held;
        w.gap = hd_blocks_gap_of(sink->gaps, b->held + first->segment,
                                 b->segment - first->segment + 1);
    }
    unsigned looked = 0;
    for (uint32_t id = *list; id != HD_BLOCKS_NONE && looked < ALIKE_MAX;
         id = b->waits[id].next, looked++) {
        if (says_the_same(&b->waits[id], &w, sink->shapes)) return;
    }
    uint32_t id = new_wait(b, sink->pass->arena);
    w.next = *list;
    b->waits[id] = w;
    *list = id;
}

static void store_wait(struct hd_blocks_builder *b, struct hd_blocks_sink *sink,
                       const struct hd_blocks_wait *w) {
    struct hd_blocks_block block = {
        .var = {w->granule, w->granule},
        .region = b->region,
        .thread = b->thread,
        .op = {w->op[0], w->op[1]},
        .flags = w->flags,
        .held = {w->held[0], w->held[1]},
        .held12 = w->held12,
        .gap = w->gap,
        .shape = b->shape,
    };
    if (sink->shapes) {
        block.at[0] = b->outer + w->segment[0];
        block.at[1] = b->outer + w->segment[1];
    }
    hd_blocks_store_put(sink->store, &block, hd_blocks_store_hash(sink->store, &block),
                        &w->event[0], &w->event[1], b->period, b->txn);
}

/* The flags of these blocks are known: hand them on. */
static void settle(struct hd_blocks_builder *b, struct hd_blocks_sink *sink,
                   uint32_t *list, bool final) {
    for (uint32_t id = *list; id != HD_BLOCKS_NONE;) {
        struct hd_blocks_wait *w = &b->waits[id];
        uint32_t next = w->next;
        if (final && w->op[1] == HD_BLOCKS_W) w->flags |= HD_BLOCKS_FINAL2;
        if (final && w->op[0] == HD_BLOCKS_W && w->op[1] != HD_BLOCKS_W &&
            !(w->flags & HD_BLOCKS_PSEUDO1)) {
            w->flags |= HD_BLOCKS_FINAL1;
        }
        if (sink->shapes) { /* its transaction has no shape before it ends */
            w->next = b->deferred;
            b->deferred = id;
        } else {
            store_wait(b, sink, w);
            w->next = b->wait_free;
            b->wait_free = id;
        }
        id = next;
    }
    *list = HD_BLOCKS_NONE;
}

/* ---- accesses ---------------------------------------------------------- */

static struct hd_blocks_var *var_of(struct hd_blocks_builder *b, struct hd_arena *arena,
                                    uint32_t granule) {
    uint32_t id = *hd_blocks_map_get(arena, &b->by_granule, granule, b->var_count);
    if (id < b->var_count) return &b->vars[id];
    HD_ARENA_FIT(arena, b->vars, b->var_room, b->var_count);
    b->var_count++;
    struct hd_blocks_var *var = &b->vars[id];
    var->granule = granule;
    var->accesses = var->initial_count = 0;
    var->written = var->read = false;
    var->first_initial = var->waits = var->final_waits = HD_BLOCKS_NONE;
    var->next_hidden = HD_BLOCKS_NONE;
    return var;
}

static void read_initially(struct hd_blocks_builder *b, struct hd_arena *arena,
                           struct hd_blocks_var *var, const struct hd_blocks_entry *e) {
    if (var->initial_count == INITIAL_MAX) return;
    for (uint32_t id = var->first_initial; id != HD_BLOCKS_NONE; id = b->reads[id].next) {
        if (b->reads[id].held == e->held) return;
    }
    HD_ARENA_FIT(arena, b->reads, b->read_room, b->read_count);
    b->reads[b->read_count] = *e;
    b->reads[b->read_count].next = var->first_initial;
    var->first_initial = b->read_count++;
    var->initial_count++;
}

static void on_read(struct hd_blocks_builder *b, struct hd_blocks_sink *sink,
                    struct hd_blocks_var *var, const struct hd_blocks_entry *e) {
    if (var->written) {
        wait_for(b, sink, &var->waits, &var->last_write, e);
    } else {
        if (var->read) wait_for(b, sink, &var->waits, &var->last_read, e);
        read_initially(b, sink->pass->arena, var, e);
    }
    var->last_read = *e;
    var->read = true;
    var->accesses++;
}

static void on_write(struct hd_blocks_builder *b, struct hd_blocks_sink *sink,
                     struct hd_blocks_var *var, const struct hd_blocks_entry *e) {
    settle(b, sink, &var->waits, false);
    if (var->written) {
        wait_for(b, sink, &var->waits, &var->last_write, e);
    } else if (var->read) {
        wait_for(b, sink, &var->waits, &var->last_read, e);
    }
    /* In the same segment nothing about rule (b) changes, but for the read of a
     * read-and-write: it makes no pair with its own write, and one with the next. */
    bool moved = !var->written || var->last_write.segment != e->segment ||
                 var->last_write.event.kind == HD_VRMW;
    if (moved && var->initial_count) {
        free_waits(b, &var->final_waits);
        for (uint32_t id = var->first_initial; id != HD_BLOCKS_NONE;
             id = b->reads[id].next) {
            if (b->reads[id].event.seq == e->event.seq) continue;
            wait_for(b, sink, &var->final_waits, &b->reads[id], e);
        }
    }
    var->last_write = *e;
    var->written = true;
    var->accesses++;
}

/* Rule (e): the object is reachable from here on; writes made before count as
 * made now. */
static void publish(struct hd_blocks_builder *b, struct hd_blocks_sink *sink,
                    const struct hd_step *step) {
    uint32_t *list =
        hd_blocks_map_get(sink->pass->arena, &b->hidden, step->obj, HD_BLOCKS_NONE);
    b->held[b->segment] = step->held;
    for (uint32_t id = *list; id != HD_BLOCKS_NONE; id = b->vars[id].next_hidden) {
        struct hd_blocks_var *var = &b->vars[id];
        var->last_write = (struct hd_blocks_entry){
            .event = {.seq = step->seq,
                      .site = step->site,
                      .function = step->function,
                      .kind = HD_WRITE},
            .granule = var->granule,
            .pos = b->pos,
            .segment = b->segment,
            .held = step->held,
            .op = HD_BLOCKS_W,
            .pseudo = true,
        };
        var->written = true;
    }
    *list = HD_BLOCKS_NONE;
}

static void hide(struct hd_blocks_builder *b, struct hd_blocks_sink *sink,
                 const struct hd_step *step) {
    const struct hd_trace *trace = sink->pass->trace;
    uint32_t before = b->var_count;
    var_of(b, sink->pass->arena, step->obj);
    if (b->var_count == before) return;
    uint32_t object =
        hd_trace_variable(trace, hd_trace_granule_variable(trace, step->obj))->object;
    uint32_t *list =
        hd_blocks_map_get(sink->pass->arena, &b->hidden, object, HD_BLOCKS_NONE);
    b->vars[before].next_hidden = *list;
    *list = before;
}

static bool is_hidden(const struct hd_blocks_sink *sink, const struct hd_step *step) {
    return sink->escape && !(step->marks & HD_MARK_ESCAPED);
}

static void on_access(struct hd_blocks_builder *b, struct hd_blocks_sink *sink,
                      const struct hd_step *step) {
    if (is_hidden(sink, step)) {
        if (sink->publish && hd_kind_writes(step->kind)) hide(b, sink, step);
        return;
    }
    b->held[b->segment] = step->held;
    struct hd_blocks_entry e = {
        .event = {.seq = step->seq,
                  .site = step->site,
                  .function = step->function,
                  .kind = step->kind,
                  .flags = step->flags},
        .granule = step->obj,
        .pos = b->pos++,
        .segment = b->segment,
        .held = step->held,
    };
    struct hd_blocks_var *var = var_of(b, sink->pass->arena, step->obj);
    if (hd_kind_reads(step->kind)) {
        e.op = HD_BLOCKS_R;
        on_read(b, sink, var, &e);
    }
    if (hd_kind_writes(step->kind)) {
        e.op = HD_BLOCKS_W;
        on_write(b, sink, var, &e);
    }
}

/* ---- transactions ------------------------------------------------------ */

static void begin(struct hd_blocks_builder *b, struct hd_blocks_sink *sink,
                  const struct hd_step *step) {
    b->open = true;
    b->unary = false;
    b->thread = step->thread;
    b->region = step->region;
    if (sink->sated && b->region != HD_NO_ID) {
        hd_blocks_sated_see(sink->sated, b->region);
        if (hd_blocks_sated_is(sink->sated, b->region)) b->region = HD_NO_ID;
    }
    b->period = sink->periods ? step->period : 0;
    b->txn = step->txn;
    b->pos = b->var_count = b->read_count = b->wait_count = 0;
    b->wait_free = b->deferred = HD_BLOCKS_NONE;
    b->shape = HD_BLOCKS_NONE;
    hd_blocks_map_clear(&b->by_granule);
    hd_blocks_map_clear(&b->hidden);
    hd_blocks_segment_begin(b, sink->pass->arena, step);
}

static int by_pos(const void *a, const void *b) {
    const struct hd_blocks_entry *x = a, *y = b;
    if (x->pos != y->pos) return x->pos < y->pos ? -1 : 1;
    return (int)x->op - (int)y->op; /* the read of a read-and-write comes first */
}

/* Initial reads and final writes, in the order of the program. */
static void collect(struct hd_blocks_builder *b, struct hd_arena *arena) {
    b->entry_count = 0;
    for (uint32_t i = 0; i < b->var_count; i++) {
        struct hd_blocks_var *var = &b->vars[i];
        bool final = var->written && !var->last_write.pseudo;
        for (uint32_t id = var->first_initial; id != HD_BLOCKS_NONE;
             id = b->reads[id].next) {
            HD_ARENA_FIT(arena, b->entries, b->entry_room, b->entry_count);
            struct hd_blocks_entry *e = &b->entries[b->entry_count++];
            *e = b->reads[id];
            e->twin = final && var->last_write.segment == e->segment ? var->last_write.pos
                                                                     : HD_BLOCKS_NONE;
        }
        if (!final) continue;
        HD_ARENA_FIT(arena, b->entries, b->entry_room, b->entry_count);
        b->entries[b->entry_count] = var->last_write;
        b->entries[b->entry_count++].twin = HD_BLOCKS_NONE;
    }
    if (b->entry_count > 32) {
        qsort(b->entries, b->entry_count, sizeof *b->entries, by_pos);
        return;
    }
    for (uint32_t i = 1; i < b->entry_count; i++) {
        struct hd_blocks_entry e = b->entries[i];
        uint32_t k = i;
        while (k > 0 && by_pos(&b->entries[k - 1], &e) > 0) {
            b->entries[k] = b->entries[k - 1];
            k--;
        }
        b->entries[k] = e;
    }
}

static void finish(struct hd_blocks_builder *b, struct hd_blocks_sink *sink) {
    b->open = false;
    hd_blocks_segment_end(b, sink->pass->arena);
    if (sink->shapes) b->shape = hd_blocks_shape_of(sink->shapes, b->ops, b->op_count);
    for (uint32_t i = 0; i < b->var_count; i++) {
        struct hd_blocks_var *var = &b->vars[i];
        if (var->accesses == 1 && var->waits == HD_BLOCKS_NONE) { /* rule (c) */
            const struct hd_blocks_entry *e =
                var->written ? &var->last_write : &var->last_read;
            struct hd_blocks_wait alone = {
                .event = {e->event, {.seq = UINT64_MAX}},
                .granule = var->granule,
                .held = {e->held, HD_LOCKSET_EMPTY},
                .segment = {e->segment, e->segment},
                .op = {e->op, HD_BLOCKS_DUMMY},
                .flags = e->op == HD_BLOCKS_W ? HD_BLOCKS_FINAL1 : 0};
            store_wait(b, sink, &alone);
            continue;
        }
        settle(b, sink, &var->waits, true);
        for (uint32_t id = var->final_waits; id != HD_BLOCKS_NONE;
             id = b->waits[id].next) {
            b->waits[id].event[1] = var->last_write.event;
        }
        settle(b, sink, &var->final_waits, true);
    }
    for (uint32_t id = b->deferred; id != HD_BLOCKS_NONE; id = b->waits[id].next) {
        store_wait(b, sink, &b->waits[id]);
    }
    if (!sink->pairs && !sink->done) return;
    collect(b, sink->pass->arena);
    if (sink->sated && sink->sated->seen && sink->sated->seen == sink->sated->full) {
        sink->skipped++;
    } else if (sink->pairs) {
        hd_blocks_pairs(b, sink);
    }
    if (sink->done) sink->done(sink->context, b);
}

static void on_lock(struct hd_blocks_builder *b, struct hd_blocks_sink *sink,
                    const struct hd_step *step, uint32_t lock, bool release) {
    if (step->marks & HD_MARK_REENTRANT) return;
    uint32_t element =
        step->flags & HD_FLAG_READ ? HD_LOCK_SHARED(lock) : HD_LOCK_EXCLUSIVE(lock);
    hd_blocks_segment_next(b, sink->pass->arena, element, release, step->held);
}

static void cut_off(struct hd_blocks_sink *sink, uint32_t txn) {
    HD_ARENA_FIT(sink->pass->arena, sink->incomplete, sink->incomplete_room,
                 sink->incomplete_count);
    sink->incomplete[sink->incomplete_count++] = txn;
}

void hd_blocks_take(struct hd_blocks_builder *b, struct hd_blocks_sink *sink,
                    const struct hd_step *step) {
    switch (step->kind) {
    case HD_STEP_CLOSE:
        b->held[b->segment] = step->held;
        if (step->marks & HD_MARK_INCOMPLETE) cut_off(sink, step->txn);
        finish(b, sink);
        break;
    case HD_ACQUIRE:
        on_lock(b, sink, step, step->obj, false);
        break;
    case HD_RELEASE:
        on_lock(b, sink, step, step->obj, true);
        break;
    case HD_WAKE:
        on_lock(b, sink, step, step->aux, false);
        break;
    case HD_WAIT:
        on_lock(b, sink, step, step->aux, true);
        break;
    case HD_TXBEGIN:
        on_lock(b, sink, step, hd_front_tm(sink->pass->front), false);
        break;
    case HD_TXEND:
        on_lock(b, sink, step, hd_front_tm(sink->pass->front), true);
        break;
    case HD_ESCAPE:
        if (sink->publish) publish(b, sink, step);
        break;
    default:
        if (hd_kind_is_access(step->kind)) on_access(b, sink, step);
        break;
    }
}

static bool is_wanted(const struct hd_blocks_builder *b, const struct hd_blocks_sink *sink,
                      const struct hd_step *step) {
    if (sink->contended && !(step->marks & HD_MARK_CONTENDED)) return false;
    return b->open || !is_hidden(sink, step);
}

static void take(struct hd_blocks_builder *b, struct hd_blocks_sink *sink,
                 const struct hd_step *step) {
    if (!hd_blocks_gather(b, sink, step)) hd_blocks_take(b, sink, step);
}

/* `end`: no step is from there on. */
static void access_step(struct hd_blocks_builder *b, struct hd_blocks_sink *sink,
                        const struct hd_step *step, const struct hd_step *end) {
    if (is_wanted(b, sink, step)) {
        if (!b->open) {
            begin(b, sink, step);
            b->region = HD_NO_ID;
            b->unary = true;
            hd_blocks_gather_begin(b, sink, step);
        }
        take(b, sink, step);
    }
    if (!b->open || !b->unary) return;
    if (step + 1 == end || step[1].seq != step->seq) { /* the last one of this event */
        struct hd_step close = *step;
        close.kind = HD_STEP_CLOSE;
        take(b, sink, &close);
    }
}

static void other_step(struct hd_blocks_builder *b, struct hd_blocks_sink *sink,
                       const struct hd_step *step) {
    if (step->kind == HD_STEP_OPEN) {
        begin(b, sink, step);
        hd_blocks_gather_begin(b, sink, step);
    } else if (b->open) {
        take(b, sink, step);
    }
}

void hd_blocks_build(struct hd_blocks_builder *builders, struct hd_blocks_sink *sink,
                     const struct hd_step *steps, size_t count) {
    const struct hd_step *end = steps + count;
    for (const struct hd_step *step = steps; step < end; step++) {
        struct hd_blocks_builder *b = &builders[step->thread];
        if (hd_kind_is_access(step->kind)) {
            access_step(b, sink, step, end);
        } else {
            other_step(b, sink, step);
        }
    }
    hd_blocks_gather_keep(sink);
}

void hd_blocks_build_end(struct hd_blocks_builder *b, struct hd_blocks_sink *sink) {
    if (!b->open) return;
    hd_blocks_gather_end(b, sink);
    finish(b, sink);
}

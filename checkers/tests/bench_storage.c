/* bench_storage.c - what the algorithms of Wang and Stoller keep of a trace.
 *
 *     build/bench/storage TRACE
 *
 * One line: events, accesses, share of accesses that no second thread could make,
 * distinct transactions that offline reduction keeps and their tokens, distinct blocks,
 * sets of the multilockset algorithm, locks in the sets of Eraser when each was largest.
 * Functions are what is meant to be atomic. */
#include "checkers/blocks_build.h"
#include "checkers/race_multilockset.h"
#include "checkers/reduction_build.h"
#include "checkers/transaction.h"

#include <stdio.h>
#include <stdlib.h>

struct keeper {
    struct hd_pass pass;
    struct hd_reduction_classes classes;
    struct hd_reduction_shapes shapes;
    struct hd_reduction_builder *reducers; /* by thread */
    struct hd_blocks_store store;
    struct hd_blocks_sink sink;
    struct hd_blocks_builder *builders; /* by thread */
    uint32_t *owners;                   /* by granule: thread plus 1, SHARED */
    uint64_t events, accesses, unescaped, tokens, eraser;
};

#define SHARED UINT32_MAX

static void begin(struct keeper *self) {
    size_t threads = hd_trace_threads(self->pass.trace) + 1u;
    struct hd_arena *arena = self->pass.arena;
    hd_reduction_classes_init(&self->classes, &self->pass, "multilockset", true, true);
    hd_reduction_shapes_init(&self->shapes, arena);
    self->reducers = hd_arena_array(arena, threads, sizeof *self->reducers);
    hd_blocks_store_init(&self->store, arena, hd_front_locksets(self->pass.front));
    self->builders = hd_arena_array(arena, threads, sizeof *self->builders);
    self->owners = hd_arena_array(arena, hd_trace_granules(self->pass.trace) + 1u,
                                  sizeof *self->owners);
    self->sink = (struct hd_blocks_sink){
        .pass = &self->pass, .store = &self->store, .pairs = true, .escape = true, .periods = true, .publish = true, .contended = true};
}

/* Eraser begins the set of a variable with the locks of the second thread that comes to
 * it; from there on the set only shrinks. */
static void begin_set(struct keeper *self, const struct hd_step *step) {
    uint32_t *owner = &self->owners[step->obj];
    if (*owner == 0) *owner = step->thread + 1u;
    if (*owner == SHARED || *owner == step->thread + 1u) return;
    *owner = SHARED;
    struct hd_locksets *sets = hd_front_locksets(self->pass.front);
    self->eraser += hd_lockset_size(
        sets, hd_lockset_guards(sets, step->held, hd_kind_writes(step->kind)));
}

static void take(struct keeper *self, const struct hd_step *steps, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const struct hd_step *step = &steps[i];
        if ((step->kind == HD_READ || step->kind == HD_WRITE) && !(step->marks & HD_MARK_PART)) {
            self->accesses++;
            self->unescaped += !(step->marks & HD_MARK_ESCAPED);
        }
        if (step->kind == HD_READ || step->kind == HD_WRITE) begin_set(self, step);
        struct hd_reduction_builder *reducer = &self->reducers[step->thread];
        uint32_t slot;
        if (hd_reduction_build(reducer, &self->classes, &self->pass, step) &&
            !hd_reduction_shape_is_known(&self->shapes, &reducer->shape, &slot)) {
            self->tokens += reducer->shape.count;
            hd_reduction_shape_keep(&self->shapes, &reducer->shape, slot);
        }
    }
    hd_blocks_build(self->builders, &self->sink, steps, count);
}

static void walk(struct keeper *self, struct hd_trace *trace, struct hd_error *err) {
    const struct hd_event *events;
    const struct hd_step *steps;
    size_t count, made;
    if (hd_front_wants_survey(self->pass.front)) {
        while ((events = hd_trace_next(trace, &count, err))) hd_front_survey(self->pass.front, events, count);
        hd_front_survey_end(self->pass.front);
        hd_trace_rewind(trace);
    }
    begin(self);
    while ((events = hd_trace_next(trace, &count, err))) {
        self->events += count;
        while (count) {
            size_t taken = hd_front_feed(self->pass.front, events, count, &steps, &made);
            take(self, steps, made);
            events += taken;
            count -= taken;
        }
    }
    hd_front_finish(self->pass.front, &steps, &made);
    take(self, steps, made);
}

static uint64_t sets_of(const struct keeper *self) {
    uint64_t sets = 0;
    for (uint32_t g = 0; g < hd_trace_granules(self->pass.trace); g++) {
        const uint32_t *reads;
        uint32_t write;
        sets += hd_multilockset_sets(self->classes.detector, g, &reads, &write);
        sets += write != HD_LOCKSET_ALL;
    }
    return sets;
}

int main(int argc, char **argv) {
    struct hd_error err = {.text = ""};
    struct hd_trace *trace = argc == 2 ? hd_trace_open(argv[1], &err) : NULL;
    if (!trace) {
        fprintf(stderr, "storage: %s\n", argc == 2 ? err.text : "usage: storage TRACE");
        return 2;
    }
    struct hd_arena *arena = hd_arena_new();
    struct hd_policy policy;
    if (!arena || hd_policy_parse(arena, "functions", &policy, &err) < 0) return 3;
    struct hd_notes *notes = hd_notes_new(arena);
    unsigned needs = HD_NEED_PERIODS | HD_NEED_ESCAPE | HD_NEED_TRANSACTIONS | HD_NEED_CONTENDED;
    struct keeper self = {.pass = {trace, hd_front_new(arena, trace, &policy, notes, needs), arena, notes, NULL}};
    walk(&self, trace, &err);
    if (err.text[0]) {
        fprintf(stderr, "storage: %s\n", err.text);
        return 3;
    }
    printf("%llu %llu %.2f %u %llu %u %llu %llu\n", (unsigned long long)self.events,
           (unsigned long long)self.accesses,
           self.accesses ? (double)self.unescaped / (double)self.accesses : 0, self.shapes.count,
           (unsigned long long)self.tokens, self.store.block_count, (unsigned long long)sets_of(&self),
           (unsigned long long)self.eraser);
    hd_arena_free(arena);
    hd_trace_free(trace);
    return 0;
}

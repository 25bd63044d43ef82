/* torn.c - see torn.h. */
#include "torn.h"

#include "checkers/front.h"
#include "checkers/transaction.h"
#include "checkers/warning.h"
#include "identity.h"

#include <stdlib.h>
#include <string.h>

#define THREADS 64
#define ACCESSES 256 /* of one open instance; more are forgotten: fewer are found */

struct open_one { /* the transaction a thread is in, and what it has led to */
    uint32_t region;
    uint64_t reached; /* threads that know of it: its own, and who met one of these */
    struct {
        uint32_t granule;
        bool write;
    } list[ACCESSES]; /* by threads that were reached */
    uint32_t count;
};

static bool meets(const struct open_one *self, uint32_t granule, bool write) {
    for (uint32_t i = 0; i < self->count; i++) {
        if (self->list[i].granule == granule && (self->list[i].write || write)) return true;
    }
    return false;
}

static void step(struct open_one *threads, const struct hd_step *step) {
    if (step->thread >= THREADS) return;
    struct open_one *mine = &threads[step->thread];
    if (step->kind == HD_STEP_OPEN) {
        mine->region = step->region;
        mine->reached = 1UL << step->thread;
        mine->count = 0;
    } else if (step->kind == HD_STEP_CLOSE) {
        if (!(step->marks & HD_MARK_INCOMPLETE)) mine->region = HD_NO_ID;
    } else if (hd_kind_is_access(step->kind)) {
        bool write = hd_kind_writes(step->kind);
        for (uint32_t t = 0; t < THREADS; t++) {
            struct open_one *one = &threads[t];
            if (one->region == HD_NO_ID) continue;
            if (!(one->reached & 1UL << step->thread)) {
                if (!meets(one, step->obj, write)) continue;
                one->reached |= 1UL << step->thread;
            }
            if (one->count == ACCESSES) continue;
            one->list[one->count].granule = step->obj;
            one->list[one->count++].write = write;
        }
    }
}

static uint16_t thread_named(const struct hd_trace *trace, const char *name) {
    for (uint32_t i = 0; i < hd_trace_threads(trace) && i < THREADS; i++) {
        if (strcmp(hd_trace_thread(trace, i), name) == 0) return (uint16_t)i;
    }
    return UINT16_MAX;
}

int hd_torn_find(struct hd_torn *self, struct hd_trace *trace, const char *transactions,
                 const char *failing, struct hd_error *err) {
    int rc = -1;
    struct hd_arena *arena = hd_arena_new();
    struct open_one *threads = calloc(THREADS, sizeof *threads);
    struct hd_policy policy;
    if (!arena || !threads) {
        hd_fail(err, 0, "out of memory");
        goto out;
    }
    if (hd_policy_parse(arena, transactions, &policy, err) < 0) goto out;
    for (int i = 0; i < THREADS; i++) threads[i].region = HD_NO_ID;
    uint16_t who = thread_named(trace, failing);
    struct hd_front *front =
        hd_front_new(arena, trace, &policy, hd_notes_new(arena), HD_NEED_TRANSACTIONS);
    const struct hd_event *events;
    const struct hd_step *steps;
    size_t count, made;
    hd_trace_rewind(trace);
    while (hd_front_wants_survey(front) && (events = hd_trace_next(trace, &count, err)) != NULL) {
        hd_front_survey(front, events, count);
    }
    if (hd_front_wants_survey(front)) hd_front_survey_end(front);
    hd_trace_rewind(trace);
    while ((events = hd_trace_next(trace, &count, err)) != NULL) {
        while (count > 0) {
            size_t used = hd_front_feed(front, events, count, &steps, &made);
            for (size_t i = 0; i < made; i++) step(threads, &steps[i]);
            events += used;
            count -= used;
        }
    }
    for (int t = 0; t < THREADS && self->count < 16; t++) {
        if (threads[t].region == HD_NO_ID || t == who) continue;
        if (who >= THREADS || !(threads[t].reached & 1UL << who)) continue;
        self->warning[self->count++] = hd_identity_mix(
            hd_identity_mix(HD_ATOMICITY, 77),
            hd_identity_region(trace, hd_front_region(front, threads[t].region)));
    }
    rc = err->text[0] ? -1 : 0;

out:
    free(threads);
    hd_arena_free(arena);
    return rc;
}

bool hd_torn_has(const struct hd_torn *self, uint64_t identity) {
    for (uint32_t i = 0; i < self->count; i++) {
        if (self->warning[i] == identity) return true;
    }
    return false;
}

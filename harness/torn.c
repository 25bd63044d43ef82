/* torn.c - see torn.h. */
#include "torn.h"

#include "checkers/warning.h"
#include "identity.h"
#include "walk.h"

#include <stdlib.h>
#include <string.h>

#define THREADS 64
#define ACCESSES 256 /* of one open instance; more are forgotten: fewer are found */

struct open_one { /* the transaction a thread is in, and what it has led to */
    uint32_t region;
    uint64_t reached; /* threads that know of it: its own, and who met one of these */
    struct {
        uint32_t object;
        bool write;
    } list[ACCESSES]; /* by threads that were reached */
    uint32_t count;
};

static bool meets(const struct open_one *self, uint32_t object, bool write) {
    for (uint32_t i = 0; i < self->count; i++) {
        if (self->list[i].object == object && (self->list[i].write || write)) return true;
    }
    return false;
}

/* What an operation touches, and whether it changes that: data, or a semaphore or condition,
 * numbered behind them. False: nothing that tells of a transaction. */
static bool touches(const struct hd_trace *trace, const struct hd_step *step, uint32_t *object,
                    bool *write) {
    bool access = hd_kind_is_access(step->kind);
    bool tells = step->kind == HD_POST || step->kind == HD_NOTIFY || step->kind == HD_NOTIFYALL;
    *object = access ? step->obj : hd_trace_granules(trace) + step->obj;
    *write = access ? hd_kind_writes(step->kind) : tells;
    return access || tells || step->kind == HD_PEND || step->kind == HD_WAKE;
}

static void step(const struct hd_trace *trace, struct open_one *threads,
                 const struct hd_step *step) {
    if (step->thread >= THREADS) return;
    struct open_one *mine = &threads[step->thread];
    uint32_t object;
    bool write;
    if (step->kind == HD_STEP_OPEN) {
        mine->region = step->region;
        mine->reached = 1UL << step->thread;
        mine->count = 0;
    } else if (step->kind == HD_STEP_CLOSE) {
        if (!(step->marks & HD_MARK_INCOMPLETE)) mine->region = HD_NO_ID;
    } else if (step->kind < HD_KIND_COUNT && touches(trace, step, &object, &write)) {
        for (uint32_t t = 0; t < THREADS; t++) {
            struct open_one *one = &threads[t];
            if (one->region == HD_NO_ID) continue;
            if (!(one->reached & 1UL << step->thread)) {
                if (!meets(one, object, write)) continue;
                one->reached |= 1UL << step->thread;
            }
            if (one->count == ACCESSES) continue;
            one->list[one->count].object = object;
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

struct walk {
    struct open_one *threads;
    struct hd_torn *found;
    const struct hd_trace *trace;
    uint16_t who; /* failed */
};

static void visit(void *argument, const struct hd_front *front, const struct hd_step *one) {
    struct walk *self = argument;
    if (one) {
        step(self->trace, self->threads, one);
        return;
    }
    struct hd_torn *found = self->found;
    for (int t = 0; t < THREADS && found->count < 16; t++) {
        const struct open_one *open = &self->threads[t];
        if (open->region == HD_NO_ID || t == self->who) continue;
        if (self->who >= THREADS || !(open->reached & 1UL << self->who)) continue;
        found->warning[found->count++] =
            hd_identity_atomicity(self->trace, hd_front_region(front, open->region));
    }
}

int hd_torn_find(struct hd_torn *self, struct hd_trace *trace, const char *transactions,
                 const char *failing, struct hd_error *err) {
    struct walk walk = {calloc(THREADS, sizeof *walk.threads), self, trace,
                        thread_named(trace, failing)};
    if (!walk.threads) abort();
    for (int i = 0; i < THREADS; i++) walk.threads[i].region = HD_NO_ID;
    int rc = hd_walk(trace, transactions, HD_NEED_TRANSACTIONS, visit, &walk, err);
    free(walk.threads);
    return rc;
}

bool hd_torn_has(const struct hd_torn *self, uint64_t identity) {
    for (uint32_t i = 0; i < self->count; i++) {
        if (self->warning[i] == identity) return true;
    }
    return false;
}

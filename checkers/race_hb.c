/* race_hb.c - races of the run that was observed, by happens-before.
 *
 * Claim: in this very run nothing orders the two accesses. No false alarms; what
 * the run happened to order is not seen.
 *
 * State per variable: the last write and the last read, each as an epoch
 * (FastTrack, Flanagan and Freund 2009): comparing with one thread's component
 * is enough while accesses are ordered. Reads that are not ordered among
 * themselves get a clock, which the next write folds up again.
 *   (1) Atomic accesses race with plain ones, not with each other. They live in
 *       a cell of their own, made when the first one comes.
 *   (2) After a race everything goes on as if the two had been ordered, so one
 *       missing lock is not reported at all later accesses as well. */
#include "checkers/race_hb.h"

#include "checkers/happens.h"

struct reads {
    struct hd_clock clock;
    struct hd_access *by; /* per thread */
    struct reads *next;   /* while spare */
};

struct cell {
    hd_epoch write, read;
    struct reads *shared; /* if set, `read` does not count */
    struct hd_access writer, reader;
};

struct hd_hb {
    struct hd_happens *order;
    struct hd_arena *arena;
    struct cell *plain;
    struct cell **atomic; /* rule (1) */
    struct reads *spare;
    uint8_t *racy;
    uint32_t threads;
    hd_hb_hit *hit;
    void *context;
};

struct hd_hb *hd_hb_new(const struct hd_pass *pass) {
    uint32_t granules = hd_trace_granules(pass->trace);
    struct hd_hb *hb = hd_arena_get(pass->arena, sizeof *hb);
    hb->arena = pass->arena;
    hb->order = hd_happens_new(pass);
    hb->plain = hd_arena_array(pass->arena, granules, sizeof *hb->plain);
    hb->atomic = hd_arena_array(pass->arena, granules, sizeof *hb->atomic);
    hb->racy = hd_arena_array(pass->arena, granules, 1);
    hb->threads = hd_trace_threads(pass->trace);
    return hb;
}

static void race(struct hd_hb *hb, const struct hd_step *step, const struct hd_access *other) {
    hb->racy[step->obj] = 1;
    if (hb->hit) {
        hb->hit(hb->context, step, other);
    }
}

static void after_write(struct hd_hb *hb, const struct cell *cell, const struct hd_step *step,
                        const struct hd_clock *now) {
    if (__builtin_expect(!hd_clock_covers(now, cell->write), 0)) {
        race(hb, step, &cell->writer);
    }
}

static void after_reads(struct hd_hb *hb, const struct cell *cell, const struct hd_step *step,
                        const struct hd_clock *now) {
    if (!cell->shared) {
        if (__builtin_expect(!hd_clock_covers(now, cell->read), 0)) {
            race(hb, step, &cell->reader);
        }
        return;
    }
    const struct hd_clock *reads = &cell->shared->clock;
    for (uint32_t t = 0; t < reads->count; t++) {
        if (reads->at[t] > hd_clock_get(now, t)) {
            race(hb, step, &cell->shared->by[t]);
        }
    }
}

static void inflate(struct hd_hb *hb, struct cell *cell) {
    struct reads *reads = hb->spare;
    if (reads) {
        hb->spare = reads->next;
        hd_clock_clear(&reads->clock);
    } else {
        reads = hd_arena_get(hb->arena, sizeof *reads);
        reads->by = hd_arena_array(hb->arena, hb->threads, sizeof *reads->by);
    }
    uint32_t first = hd_epoch_thread(cell->read);
    hd_clock_set(hb->arena, &reads->clock, first, hd_epoch_value(cell->read));
    reads->by[first] = cell->reader;
    cell->shared = reads;
}

static void note_read(struct hd_hb *hb, struct cell *cell, const struct hd_step *step,
                      const struct hd_clock *now, hd_epoch epoch) {
    if (!cell->shared) {
        if (hd_clock_covers(now, cell->read)) {
            cell->read = epoch;
            cell->reader = hd_access_of(step);
            return;
        }
        inflate(hb, cell);
    }
    hd_clock_set(hb->arena, &cell->shared->clock, step->thread, hd_epoch_value(epoch));
    cell->shared->by[step->thread] = hd_access_of(step);
}

static void note_write(struct hd_hb *hb, struct cell *cell, const struct hd_step *step,
                       hd_epoch epoch) {
    cell->write = epoch;
    cell->writer = hd_access_of(step);
    if (cell->shared) { /* all of them lie before this write, or were reported */
        cell->shared->next = hb->spare;
        hb->spare = cell->shared;
        cell->shared = NULL;
        cell->read = 0;
    }
}

static void plain_access(struct hd_hb *hb, const struct hd_step *step) {
    struct cell *cell = &hb->plain[step->obj];
    const struct hd_clock *now = hd_happens_clock(hb->order, step->thread);
    hd_epoch epoch = hd_happens_now(hb->order, step->thread);
    struct cell *atomic = hb->atomic[step->obj];
    if (step->kind == HD_READ) {
        if (!cell->shared ? cell->read == epoch
                          : hd_clock_get(&cell->shared->clock, step->thread) ==
                                hd_epoch_value(epoch)) {
            return; /* said before in this epoch */
        }
        after_write(hb, cell, step, now);
        if (__builtin_expect(atomic != NULL, 0)) {
            after_write(hb, atomic, step, now);
        }
        note_read(hb, cell, step, now, epoch);
        return;
    }
    if (cell->write == epoch) {
        return;
    }
    after_write(hb, cell, step, now);
    after_reads(hb, cell, step, now);
    if (__builtin_expect(atomic != NULL, 0)) {
        after_write(hb, atomic, step, now);
        after_reads(hb, atomic, step, now);
    }
    note_write(hb, cell, step, epoch);
}

static void atomic_access(struct hd_hb *hb, const struct hd_step *step) {
    struct cell *plain = &hb->plain[step->obj];
    if (!hb->atomic[step->obj]) {
        hb->atomic[step->obj] = hd_arena_get(hb->arena, sizeof **hb->atomic);
    }
    struct cell *cell = hb->atomic[step->obj];
    /* An acquire learns first and is compared then: a variable may be initialised
     * plainly and published by its own release store. */
    hd_epoch epoch = hd_happens_now(hb->order, step->thread);
    bool writes = hd_kind_writes(step->kind);
    hd_happens_step(hb->order, step);
    const struct hd_clock *now = hd_happens_clock(hb->order, step->thread);
    after_write(hb, plain, step, now);
    if (writes) {
        after_reads(hb, plain, step, now);
        note_write(hb, cell, step, epoch);
    } else {
        note_read(hb, cell, step, now, epoch);
    }
}

void hd_hb_steps(struct hd_hb *hb, const struct hd_step *steps, size_t count, hd_hb_hit *hit,
                 void *context) {
    hb->hit = hit;
    hb->context = context;
    for (size_t i = 0; i < count; i++) {
        const struct hd_step *step = &steps[i];
        if (hd_kind_is_plain(step->kind)) {
            plain_access(hb, step);
        } else if (hd_kind_is_access(step->kind)) {
            atomic_access(hb, step);
        } else {
            hd_happens_step(hb->order, step);
        }
    }
}

bool hd_hb_racy(const struct hd_hb *hb, uint32_t granule) { return hb->racy[granule]; }

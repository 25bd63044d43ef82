/* race_hb.c - races of the run that was observed, by happens-before.
 *
 * Claim: in this very run nothing orders the two accesses. No false alarms; what
 * the run happened to order is not seen.
 *
 * State per variable: the last write and the last read, each as an epoch
 * (FastTrack, Flanagan and Freund 2009): comparing with one thread's component
 * is enough while accesses are ordered. Reads that are not ordered among
 * themselves get a clock, which the next plain write folds up again.
 *   (1) Atomic accesses race with plain ones, not with each other. They live in
 *       a cell of their own, made when the first one comes.
 *   (2) After a race everything goes on as if the two had been ordered, so one
 *       missing lock is not reported at all later accesses as well. */
#include "checkers/race_hb.h"

#include "checkers/happens.h"

/* Accesses that are not ordered among themselves, one per thread. */
struct many {
    struct hd_clock clock;
    struct hd_access *by; /* per thread, as far as the clock goes */
    size_t room;
    struct many *next; /* while spare */
};

struct last {
    hd_epoch epoch;
    struct many *many; /* if set, `epoch` does not count */
    struct hd_access access;
};

struct cell {
    struct last write, read;
};

struct hd_hb {
    struct hd_happens *order;
    struct hd_arena *arena;
    struct cell *plain;
    struct cell **atomic; /* rule (1) */
    struct many *spare;
    uint8_t *racy;
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
    return hb;
}

static void race(struct hd_hb *hb, const struct hd_step *step, const struct hd_access *other) {
    hb->racy[step->obj] = 1;
    if (hb->hit) {
        hb->hit(hb->context, step, other);
    }
}

/* Report all of `last` that the step is not ordered after. */
static void check(struct hd_hb *hb, const struct last *last, const struct hd_step *step,
                  const struct hd_clock *now) {
    if (__builtin_expect(!last->many, 1)) {
        if (__builtin_expect(!hd_clock_covers(now, last->epoch), 0)) {
            race(hb, step, &last->access);
        }
        return;
    }
    const struct hd_clock *clock = &last->many->clock;
    for (uint32_t t = 0; t < clock->count; t++) {
        if (clock->at[t] > hd_clock_get(now, t)) {
            race(hb, step, &last->many->by[t]);
        }
    }
}

static void put(struct hd_hb *hb, struct many *many, const struct hd_access *access,
                hd_epoch epoch) {
    uint32_t thread = hd_epoch_thread(epoch);
    hd_clock_set(hb->arena, &many->clock, thread, hd_epoch_value(epoch));
    HD_ARENA_FIT(hb->arena, many->by, many->room, thread);
    many->by[thread] = *access;
}

static void inflate(struct hd_hb *hb, struct last *last) {
    struct many *many = hb->spare;
    if (many) {
        hb->spare = many->next;
        hd_clock_clear(&many->clock);
    } else {
        many = hd_arena_get(hb->arena, sizeof *many);
    }
    last->many = many;
    put(hb, many, &last->access, last->epoch);
}

static void add(struct hd_hb *hb, struct last *last, const struct hd_step *step,
                const struct hd_clock *now, hd_epoch epoch) {
    if (!last->many) {
        if (hd_clock_covers(now, last->epoch)) {
            last->epoch = epoch;
            last->access = hd_access_of(step);
            return;
        }
        inflate(hb, last);
    }
    struct hd_access access = hd_access_of(step);
    put(hb, last->many, &access, epoch);
}

static void forget(struct hd_hb *hb, struct last *last) {
    if (last->many) {
        last->many->next = hb->spare;
        hb->spare = last->many;
        last->many = NULL;
        last->epoch = 0;
    }
}

/* Said before in this epoch: nothing new. */
static bool same_epoch(const struct last *last, uint32_t thread, hd_epoch epoch) {
    return __builtin_expect(!last->many, 1)
               ? last->epoch == epoch
               : hd_clock_get(&last->many->clock, thread) == hd_epoch_value(epoch);
}

static void plain_access(struct hd_hb *hb, const struct hd_step *step) {
    struct cell *cell = &hb->plain[step->obj], *atomic = hb->atomic[step->obj];
    const struct hd_clock *now = hd_happens_clock(hb->order, step->thread);
    hd_epoch epoch = hd_happens_now(hb->order, step->thread);
    if (step->kind == HD_READ) {
        if (same_epoch(&cell->read, step->thread, epoch)) {
            return;
        }
        check(hb, &cell->write, step, now);
        if (__builtin_expect(atomic != NULL, 0)) {
            check(hb, &atomic->write, step, now);
        }
        add(hb, &cell->read, step, now, epoch);
        return;
    }
    if (cell->write.epoch == epoch) {
        return;
    }
    check(hb, &cell->write, step, now);
    check(hb, &cell->read, step, now);
    if (__builtin_expect(atomic != NULL, 0)) {
        check(hb, &atomic->write, step, now);
        check(hb, &atomic->read, step, now);
    }
    cell->write.epoch = epoch; /* rule (2) */
    cell->write.access = hd_access_of(step);
    forget(hb, &cell->read); /* they lie before this write, or were reported */
}

static void atomic_access(struct hd_hb *hb, const struct hd_step *step) {
    struct cell *plain = &hb->plain[step->obj];
    if (!hb->atomic[step->obj]) {
        hb->atomic[step->obj] = hd_arena_get(hb->arena, sizeof **hb->atomic);
    }
    struct cell *cell = hb->atomic[step->obj];
    bool writes = hd_kind_writes(step->kind);
    hd_epoch epoch = hd_happens_now(hb->order, step->thread);
    /* An acquire learns first and is compared then: a variable may be initialised
     * plainly and published by its own release store. */
    hd_happens_step(hb->order, step);
    const struct hd_clock *now = hd_happens_clock(hb->order, step->thread);
    check(hb, &plain->write, step, now);
    if (writes) {
        check(hb, &plain->read, step, now);
    }
    /* Atomic accesses need not be ordered among themselves, so a write here does
     * not stand for what came before it. */
    add(hb, writes ? &cell->write : &cell->read, step, now, epoch);
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

/* contended.c - FastTrack's cells, ordered by periods.
 *
 * A write comes after all reads and writes before it, or the granule is contended
 * and nothing more is asked; so one epoch stands for all writes. Reads may be
 * concurrent: then they are a list, of which those that the newest follows are
 * dropped, since what is after the newest is after them. */
#include "checkers/contended.h"

#include "checkers/period.h"

#define LIST (UINT32_C(1) << 31) /* in `read`: the rest is the first of a list */
#define NONE (LIST - 1)          /* ends a list */
#define READERS_MOST 32
#define FEW_THREADS 64 /* whose clocks are also kept as plain arrays */

struct hd_contended_reader {
    uint32_t epoch;
    uint32_t next;
};

struct hd_contended_stop {
    uint32_t barrier, episode;
    bool inside;
};

/* The thread is in another period. Those beyond what fits are not told apart: the
 * thread has no epoch then. */
static void tell(struct hd_contended *self, uint32_t thread) {
    uint64_t index = hd_period_self(self->periods, thread);
    uint64_t epoch = ((index + 1) << self->thread_bits) | thread;
    self->now[thread] = epoch < LIST ? (uint32_t)epoch : 0;
    if (!self->clocks) return;
    uint32_t *clock = &self->clocks[thread * self->thread_count];
    for (uint32_t t = 0; t < self->thread_count; t++)
        clock[t] = hd_period_passed(self->periods, thread, t);
}

void hd_contended_begin(struct hd_contended *self, struct hd_arena *arena,
                        uint32_t granules, uint32_t threads) {
    *self = (struct hd_contended){
        .arena = arena, .reader_free = NONE, .thread_count = threads};
    self->periods = hd_periods_new(arena, threads);
    self->cells = hd_arena_array(arena, granules, sizeof *self->cells);
    self->now = hd_arena_array(arena, threads, sizeof *self->now);
    self->stops = hd_arena_array(arena, threads, sizeof *self->stops);
    if (threads <= FEW_THREADS)
        self->clocks = hd_arena_array(arena, threads * threads, sizeof *self->clocks);
    while (threads >> self->thread_bits)
        self->thread_bits++;
    for (uint32_t t = 0; t < threads; t++)
        tell(self, t);
}

/* ---- order --------------------------------------------------------------- */

static void leave(struct hd_contended *self, uint32_t thread) {
    struct hd_contended_stop *stop = &self->stops[thread];
    if (!stop->inside) return;
    stop->inside = false;
    hd_period_leave(self->periods, thread, stop->barrier, stop->episode);
    tell(self, thread);
}

void hd_contended_goes_on(struct hd_contended *self, const struct hd_event *event) {
    if (event->kind != HD_BLEAVE) leave(self, event->thread);
}

void hd_contended_event(struct hd_contended *self, const struct hd_event *event) {
    uint32_t thread = event->thread, other = event->obj;
    switch (event->kind) {
    case HD_FORK:
        if (other == thread) return;
        hd_period_fork(self->periods, thread, other);
        tell(self, other);
        break;
    case HD_JOIN:
        if (other == thread) return;
        hd_period_join(self->periods, thread, other);
        tell(self, other);
        break;
    case HD_BARRIER:
        self->stops[thread] = (struct hd_contended_stop){event->obj, event->aux, true};
        hd_period_arrive(self->periods, thread, event->obj, event->aux);
        break;
    case HD_BLEAVE:
        leave(self, thread);
        return;
    default:
        return;
    }
    tell(self, thread);
}

/* ---- accesses ------------------------------------------------------------ */

static uint32_t thread_mask(const struct hd_contended *self) {
    return (UINT32_C(1) << self->thread_bits) - 1;
}

static uint32_t thread_of(const struct hd_contended *self, uint32_t epoch) {
    return epoch & thread_mask(self);
}

/* Is what was done in this epoch over, for what the thread does now? */
static bool is_over(const struct hd_contended *self, uint32_t epoch, uint32_t thread) {
    uint32_t other = thread_of(self, epoch);
    if (other == thread) return true;
    uint32_t passed = self->clocks ? self->clocks[thread * self->thread_count + other]
                                   : hd_period_passed(self->periods, thread, other);
    return passed >= epoch >> self->thread_bits;
}

static uint32_t new_reader(struct hd_contended *self, uint32_t epoch, uint32_t next) {
    uint32_t id = self->reader_free;
    if (id != NONE) {
        self->reader_free = self->readers[id].next;
    } else {
        HD_ARENA_FIT(self->arena, self->readers, self->reader_room, self->reader_count);
        id = self->reader_count++;
    }
    self->readers[id] = (struct hd_contended_reader){epoch, next};
    return id;
}

static void drop_reader(struct hd_contended *self, uint32_t *link) {
    uint32_t id = *link;
    *link = self->readers[id].next;
    self->readers[id].next = self->reader_free;
    self->reader_free = id;
}

static void contend(struct hd_contended *self, struct hd_contended_cell *cell) {
    uint32_t first = cell->read & LIST ? cell->read & ~LIST : NONE;
    while (first != NONE)
        drop_reader(self, &first);
    *cell = (struct hd_contended_cell){.write = HD_CONTENDED};
}

void hd_contended_gone(struct hd_contended *self, uint32_t first, uint32_t count) {
    for (struct hd_contended_cell *cell = &self->cells[first]; count--; cell++) {
        if (cell->write == HD_CONTENDED) continue;
        contend(self, cell);
        cell->write = HD_GONE;
    }
}

/* Drops from a list what is over; how many are left. */
static uint32_t thin(struct hd_contended *self, uint32_t *first, uint32_t thread) {
    uint32_t left = 0;
    for (uint32_t *link = first; *link != NONE;) {
        if (is_over(self, self->readers[*link].epoch, thread)) {
            drop_reader(self, link);
        } else {
            link = &self->readers[*link].next;
            left++;
        }
    }
    return left;
}

static void add_read(struct hd_contended *self, struct hd_contended_cell *cell,
                     uint32_t thread) {
    uint32_t now = self->now[thread];
    if (!(cell->read & LIST)) {
        if (!cell->read || is_over(self, cell->read, thread)) {
            cell->read = now;
        } else {
            uint32_t before = new_reader(self, cell->read, NONE);
            cell->read = LIST | new_reader(self, now, before);
        }
        return;
    }
    uint32_t first = cell->read & ~LIST;
    uint32_t left = thin(self, &first, thread);
    if (left == READERS_MOST) {
        cell->read = LIST | first;
        contend(self, cell);
    } else {
        cell->read = left ? LIST | new_reader(self, now, first) : now;
    }
}

/* A write after all that was. */
static void add_write(struct hd_contended *self, struct hd_contended_cell *cell,
                      uint32_t thread) {
    bool over;
    if (cell->read & LIST) {
        uint32_t first = cell->read & ~LIST;
        over = thin(self, &first, thread) == 0;
        cell->read = LIST | first;
    } else {
        over = !cell->read || is_over(self, cell->read, thread);
    }
    if (over) {
        *cell = (struct hd_contended_cell){.write = self->now[thread]};
    } else {
        contend(self, cell);
    }
}

/* Of the reads of a cell. */
static uint32_t newest(const struct hd_contended *self, uint32_t read) {
    return read & LIST ? self->readers[read & ~LIST].epoch : read;
}

bool hd_contended_access(struct hd_contended *self, uint32_t thread, uint32_t granule,
                         bool writes) {
    struct hd_contended_cell *cell = &self->cells[granule];
    uint32_t now = self->now[thread];
    if (cell->write >= HD_GONE) {
        cell->write = HD_CONTENDED;
        return !cell->read;
    }
    uint32_t last = newest(self, cell->read);
    if (now && (cell->write == now || (!writes && last == now))) return false;
    bool known = (last && thread_of(self, last) == thread) ||
                 (cell->write && thread_of(self, cell->write) == thread);
    if (!now || (cell->write && !is_over(self, cell->write, thread))) {
        contend(self, cell);
    } else if (writes) {
        add_write(self, cell, thread);
    } else {
        add_read(self, cell, thread);
    }
    return !known;
}

/* An epoch, and one of this thread. */
static bool is_own(uint32_t epoch, uint32_t thread, uint32_t mask) {
    return epoch - 1 < LIST - 1 && (epoch & mask) == thread;
}

size_t hd_contended_stretch(struct hd_contended *self, const uint32_t *granule_of,
                            const struct hd_event *events, size_t count) {
    struct hd_contended_cell *cells = self->cells;
    uint32_t thread = events[0].thread, now = self->now[thread], mask = thread_mask(self);
    size_t n = 0;
    for (; now && n < count; n++) {
        const struct hd_event *event = &events[n];
        if (event->thread != thread || !hd_kind_is_access(event->kind)) break;
        uint32_t granule = granule_of[event->obj];
        if (granule == HD_NO_ID) break;
        struct hd_contended_cell *cell = &cells[granule], was = *cell;
        bool writes = hd_kind_writes(event->kind);
        if (was.write == now || (!writes && was.read == now)) continue;
        if (!writes && newest(self, was.read) == now) continue;
        if (was.write == HD_CONTENDED && was.read) continue; /* settled */
        if (!is_own(was.write, thread, mask)) break;
        if (was.read && !is_own(was.read, thread, mask)) break;
        if (writes) {
            *cell = (struct hd_contended_cell){.write = now};
        } else {
            cell->read = now;
        }
    }
    return n;
}

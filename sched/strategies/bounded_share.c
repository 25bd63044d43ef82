/* bounded_share.c - parts of the bounded search that other processes do.
 *
 * A round's schedules stand in a list of which the last is run next, and puts
 * those it finds behind it. What is offered is a stretch of the list, which
 * stays as it is until all behind it are done. A worker runs its schedules, last
 * one first, and those of the same round that they lead to; of each run it writes
 * down at which points there were alternatives. The search here takes the runs
 * one after the other and puts what they found into its lists as if they had been
 * run here, so that it can go on by itself after any of them. */
#include "bounded.h"

#include "sched/work.h"

#define OWN 2      /* schedules at the end of the list that are run here at once */
#define STRETCH 64 /* schedules given at once */

/* ---- giving --------------------------------------------------------------------------- */

static void put_schedule(const struct hd_bounded *self, struct hd_parcel *out, uint32_t item) {
    uint32_t *count = hd_parcel_take(out, sizeof *count);
    if (!count) return;
    *count = 0;
    for (uint32_t at = item + 1; at; at = self->items[at - 1].parent) {
        hd_parcel_number(out, self->items[at - 1].point);
        hd_parcel_number(out, self->items[at - 1].alternative);
        ++*count;
    }
}

static void describe(const struct hd_bounded *self, struct hd_parcel *out, uint32_t low,
                     uint32_t high) {
    hd_parcel_number(out, self->level);
    hd_parcel_number(out, high - low);
    for (uint32_t i = low; i < high; i++) put_schedule(self, out, self->now.at[i]);
}

/* The last stretch of the list that nobody was given, and that is long enough;
 * `before`: how many that were given come after it. */
static bool find_stretch(const struct hd_bounded *self, bool near, struct hd_stretch *found,
                         uint32_t *before) {
    uint32_t end = self->taking ? self->low : self->now.count - OWN;
    if (end > self->now.count) return false; /* fewer than OWN, or fewer than were given */
    found->high = end;
    for (*before = self->given_count;; --*before) {
        const struct hd_stretch *below = *before ? &self->given[*before - 1] : NULL;
        found->low = below ? below->high : 0;
        if (found->high > found->low) break;
        if (!below || near) return false;
        if (below->low < found->high) found->high = below->low;
    }
    uint32_t most = hd_rt->config.eager ? 4 : STRETCH;
    if (found->high - found->low > most) found->low = found->high - most;
    return true;
}

static bool offer(uint32_t id, bool near, struct hd_parcel *task) {
    struct hd_bounded *self = hd_bounded_self();
    struct hd_stretch found = {.id = id};
    uint32_t before;
    if (self->given_count == HD_STRETCHES || self->room == HD_BOUNDED_MOST ||
        !find_stretch(self, near, &found, &before)) {
        return false;
    }
    describe(self, task, found.low, found.high);
    for (uint32_t i = self->given_count++; i > before; i--) self->given[i] = self->given[i - 1];
    self->given[before] = found;
    return true;
}

static void accept(struct hd_parcel *task) {
    struct hd_bounded *self = hd_bounded_self();
    self->there = true;
    self->given_count = self->taking = 0;
    self->count = self->now.count = self->next.count = 0;
    self->level = hd_parcel_get_number(task);
    for (uint32_t left = hd_parcel_get_number(task); left > 0; left--) {
        uint32_t count = hd_parcel_get_number(task), parent = 0;
        const struct hd_difference *path = hd_parcel_next(task, count * (uint32_t)sizeof *path);
        for (uint32_t i = count; i-- > 0;) { /* the last difference is written first */
            parent = hd_bounded_item(self, parent, path[i].point, path[i].alternative) + 1;
        }
        hd_bounded_list(&self->now, parent - 1);
    }
}

void hd_bounded_write_down(uint32_t point, uint32_t alternatives, uint32_t free) {
    struct hd_parcel *out = hd_work_pen();
    hd_parcel_number(out, point);
    hd_parcel_number(out, alternatives);
    hd_parcel_number(out, free);
}

/* ---- taking ------------------------------------------------------------------------------ */

/* A stretch that was given, and to which the search has come. */
static bool open_stretch(struct hd_bounded *self) {
    struct hd_stretch *last = &self->given[self->given_count - 1];
    if (self->given_count == 0 || last->high != self->now.count) return false;
    self->given_count--;
    struct hd_parcel task = {.at = hd_passing_as_it_is(HD_WORK_ROOM / 4),
                             .room = HD_WORK_ROOM / 4};
    describe(self, &task, last->low, last->high);
    if (!hd_work_open(last->id, &task)) return false;
    self->taking = last->id;
    self->low = last->low;
    return true;
}

bool hd_bounded_done_ahead(struct hd_bounded *self, struct hd_parcel *own) {
    if (self->taking && hd_work_next(self->taking, own)) return true;
    self->taking = 0;
    return open_stretch(self) && hd_work_next(self->taking, own);
}

void hd_bounded_take(struct hd_bounded *self, struct hd_parcel *own) {
    while (own->used < own->room) {
        uint32_t point = hd_parcel_get_number(own), alternatives = hd_parcel_get_number(own);
        hd_bounded_found(self, point, alternatives, hd_parcel_get_number(own));
    }
}

static void forget(void) {
    struct hd_bounded *self = hd_bounded_self();
    self->given_count = self->taking = 0;
}

/* All of it is here, whoever found it. What a list was before it grew is still there. */
static uint64_t held(uint64_t longest) {
    const struct hd_bounded *self = hd_bounded_self();
    (void)longest;
    return 2 * (self->room * sizeof *self->items +
                (self->now.room + self->next.room) * sizeof *self->now.at);
}

const struct hd_share_ops hd_bounded_share = {
    .offer = offer,
    .accept = accept,
    .forget = forget,
    .held = held,
};

/* tally.c - see tally.h. */
#include "tally.h"

#include "class.h"
#include "run.h"
#include "runtime.h"

#define FINDS 4096 /* distinct outcomes that are told apart */

struct find {
    uint64_t hash;
    uint64_t count, before; /* in this pass, in those before */
};

struct counts {
    uint64_t executions, blocked, events, steps, cut, failed;
};

/* A set of 64-bit hashes: open addressing, grows by doubling. */
struct set {
    uint64_t *at;
    uint64_t room, count;
};

struct hd_tally {
    struct find finds[FINDS];
    uint32_t find_count;
    uint16_t index[4 * FINDS]; /* of finds, + 1, by hash */
    struct set classes;
    struct set endings; /* classes with their outcomes: more, and a dependence is not known */
    struct counts now, before; /* this pass, those before */
    uint64_t threads, longest;
};

struct hd_tally *hd_tally_new(void) { return hd_lasting(sizeof(struct hd_tally)); }

static bool set_add(struct set *set, uint64_t hash) {
    if (hash == 0) hash = 1;
    if (set->count * 2 >= set->room) {
        struct set old = *set;
        set->room = old.room ? old.room * 2 : 1024;
        set->at = hd_lasting(set->room * sizeof *set->at);
        set->count = 0;
        for (uint64_t i = 0; i < old.room; i++) {
            if (old.at[i]) set_add(set, old.at[i]);
        }
    }
    uint64_t i = hash & (set->room - 1);
    while (set->at[i]) {
        if (set->at[i] == hash) return false;
        i = (i + 1) & (set->room - 1);
    }
    set->at[i] = hash;
    set->count++;
    return true;
}

static void set_clear(struct set *set) {
    memset(set->at, 0, set->room * sizeof *set->at);
    set->count = 0;
}

void hd_tally_finer(struct hd_tally *self) {
    if (self->classes.room) set_clear(&self->classes);
    if (self->endings.room) set_clear(&self->endings);
}

void hd_tally_again(struct hd_tally *self) {
    self->before.executions += self->now.executions;
    self->before.blocked += self->now.blocked;
    self->before.events += self->now.events;
    self->before.steps += self->now.steps;
    self->before.cut += self->now.cut;
    self->before.failed += self->now.failed;
    self->now = (struct counts){0};
    hd_tally_finer(self);
    for (uint32_t i = 0; i < self->find_count; i++) {
        self->finds[i].before += self->finds[i].count;
        self->finds[i].count = 0;
    }
}

/* Where this outcome is, or would be, in the index. */
static const uint16_t *cell_of(const struct hd_tally *self, uint64_t hash) {
    uint32_t i = (uint32_t)(hash >> 32) % (4 * FINDS);
    while (self->index[i] && self->finds[self->index[i] - 1].hash != hash) {
        i = (i + 1) % (4 * FINDS);
    }
    return &self->index[i];
}

static bool first_of_its_kind(struct hd_tally *self, uint64_t hash, uint32_t *which) {
    uint16_t *cell = (uint16_t *)cell_of(self, hash);
    if (*cell) {
        *which = *cell - 1u;
        self->finds[*which].count++;
        return false;
    }
    if (self->find_count == FINDS) {
        hd_note("more than %d different outcomes; the rest is not told apart", FINDS);
        *which = FINDS - 1;
        self->finds[FINDS - 1].count++;
        return false;
    }
    *which = self->find_count;
    self->finds[self->find_count++] = (struct find){.hash = hash, .count = 1};
    *cell = (uint16_t)self->find_count;
    return true;
}

bool hd_tally_add(struct hd_tally *self, const struct hd_ran *ran, uint32_t *which) {
    self->now.events += ran->events;
    self->now.steps += ran->steps;
    if (ran->threads > self->threads) self->threads = ran->threads;
    if (ran->steps > self->longest) self->longest = ran->steps;
    if (ran->blocked) {
        self->now.blocked++;
        return false;
    }
    self->now.executions++;
    self->now.cut += ran->cut;
    self->now.failed += ran->failed;
    hd_rt->new_class = set_add(&self->classes, ran->class_hash);
    set_add(&self->endings, hd_mix(ran->class_hash, ran->outcome));
    return first_of_its_kind(self, ran->outcome, which);
}

bool hd_tally_knows(const struct hd_tally *self, uint64_t outcome) {
    return *cell_of(self, outcome) != 0;
}

uint64_t hd_tally_bytes(const struct hd_tally *self, uint64_t *longest) {
    *longest = self->longest;
    /* what a set was before it grew is still there */
    return sizeof *self + 2 * sizeof(uint64_t) * (self->classes.room + self->endings.room);
}

uint64_t hd_tally_spent(const struct hd_tally *self) {
    return self->before.executions + self->now.executions;
}

uint64_t hd_tally_cut(const struct hd_tally *self) { return self->now.cut; }

bool hd_tally_count(const struct hd_tally *self, uint32_t which, bool final, uint64_t *count) {
    if (which >= self->find_count) return false;
    *count = self->finds[which].count + (final ? 0 : self->finds[which].before);
    return true;
}

void hd_tally_totals(const struct hd_tally *self, struct hd_totals *totals) {
    static const struct counts none;
    const struct counts *now = &self->now, *before = totals->final ? &none : &self->before;
    totals->executions = now->executions + before->executions;
    totals->classes = self->classes.count;
    totals->endings = self->endings.count;
    totals->events = now->events + before->events;
    totals->steps = now->steps + before->steps;
    totals->threads = self->threads;
    totals->cut = now->cut + before->cut;
    totals->blocked = now->blocked + before->blocked;
    totals->failed = now->failed + before->failed;
}

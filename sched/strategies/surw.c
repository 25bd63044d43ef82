/* surw.c - a random walk that is uniform over the orders of what matters.
 *
 * Zhao, Wang, et al.: Selectively uniform concurrency testing, ASPLOS 2025. A
 * random walk favours orders in which short threads come early. If each next
 * step is drawn in proportion to how many steps a thread still has before it,
 * every order has the same chance; and if only some operations are taken to
 * matter (here: those on one place, drawn anew for every run), their orders are
 * uniform while all others are free. A thread that comes to such an operation
 * out of its turn waits there until it is its turn.
 *
 * How many operations a thread has comes from one measuring run. A thread counts
 * for its children as long as they do not exist.
 *
 * Departures, as far as the paper is known here: operations that matter are
 * those of one place that several threads use and at least one writes; counts
 * are not corrected by later runs; when nobody else can run, whoever waits out
 * of turn is let go and the next turn is drawn again; one who yields lets the
 * others go first. */
#include "calibrate.h"

#define TABLE 4096 /* threads x places that are kept apart */

struct entry { /* operations of one thread on one place */
    uint64_t key;
    uint32_t home, count;
    bool writes;
};

struct state {
    struct hd_calibration measured;
    struct entry table[TABLE];
    struct entry *in_order[TABLE]; /* as they were first used */
    uint32_t entry_count;
    uint64_t places[TABLE]; /* candidates: used by several threads, written by one */
    uint32_t place_count;
    uint32_t parent[HD_HOMES];  /* home of the creator, from the measuring run */
    uint32_t met[HD_HOMES];     /* homes of threads of the measuring run */
    uint32_t met_count;
    /* this run */
    uint64_t key;             /* the place that matters; 0: none */
    uint32_t left[HD_HOMES];  /* operations on it still to come, by home */
    int turn;                 /* home whose operation is next; -1: draw */
    bool exists[HD_HOMES];
    uint32_t known;
};

static struct entry *entry_for(struct state *self, uint32_t home, uint64_t key) {
    uint64_t at = (key * 0x9e3779b97f4a7c15UL ^ home * 0xbf58476d1ce4e5b9UL) >> 40;
    for (uint32_t i = 0; i < TABLE; i++) {
        struct entry *entry = &self->table[(at + i) % TABLE];
        if (entry->count == 0 || (entry->key == key && entry->home == home)) return entry;
    }
    return NULL;
}

static bool begin_run(uint64_t run) {
    struct state *self = HD_STRATEGY_STATE(struct state);
    (void)run;
    self->known = 0;
    self->turn = -1;
    self->key = 0;
    if (hd_calibrate_begin(&self->measured) || self->place_count == 0) return true;
    self->key = self->places[hd_rng_below(&hd_rt->rng, self->place_count)];
    for (uint32_t i = 0; i < self->met_count; i++) {
        uint32_t home = self->met[i];
        const struct entry *entry = entry_for(self, home, self->key);
        self->left[home] = entry && entry->count ? entry->count : 0;
        self->exists[home] = false;
    }
    return true;
}

/* Which thread that exists speaks for this one. */
static uint32_t speaker(const struct state *self, uint32_t home) {
    while (home != 0 && !self->exists[home]) home = self->parent[home];
    return home;
}

static void draw_turn(struct state *self) {
    uint64_t total = 0;
    for (uint32_t i = 0; i < self->met_count; i++) total += self->left[self->met[i]];
    self->turn = -1;
    if (total == 0) return;
    uint64_t at = hd_rng_next(&hd_rt->rng) % total;
    for (uint32_t i = 0; i < self->met_count; i++) {
        uint32_t home = self->met[i];
        if (at < self->left[home]) {
            self->turn = (int)speaker(self, home);
            return;
        }
        at -= self->left[home];
    }
}

static bool matters(const struct state *self, const struct hd_thread *thread) {
    return self->key && thread->op.place && thread->op.place->key == self->key;
}

static int pick(const struct hd_choice *choice) {
    struct state *self = HD_STRATEGY_STATE(struct state);
    if (!self->measured.done) return hd_round_robin_pick(choice);
    for (; self->known < hd_rt->thread_count; self->known++) {
        self->exists[hd_rt->threads[self->known]->home] = true;
        self->turn = -1; /* somebody speaks for itself now */
    }
    if (self->turn < 0) draw_turn(self);
    uint16_t able[256];
    uint32_t count = 0;
    for (size_t i = 0; i < choice->count && count < 256; i++) {
        int id = choice->runnable[i];
        const struct hd_thread *thread = hd_rt->threads[id];
        if (choice->yielding && id == choice->current && choice->count > 1) continue;
        if (self->turn >= 0 && matters(self, thread) && (int)thread->home != self->turn) continue;
        able[count++] = (uint16_t)id;
    }
    if (count == 0) {
        self->turn = -1;
        return choice->runnable[hd_rng_below(&hd_rt->rng, (uint32_t)choice->count)];
    }
    return able[hd_rng_below(&hd_rt->rng, count)];
}

static int choose(int n) { return (int)hd_rng_below(&hd_rt->rng, (uint32_t)n); }

static void touch(struct hd_thread *thread, struct hd_place *place, enum hd_mode mode) {
    struct state *self = HD_STRATEGY_STATE(struct state);
    if (self->measured.done) {
        if (place->key != self->key) return;
        if (self->left[thread->home] > 0) self->left[thread->home]--;
        self->turn = -1;
        return;
    }
    struct entry *entry = entry_for(self, thread->home, place->key);
    if (!entry) return;
    if (entry->count == 0) self->in_order[self->entry_count++] = entry;
    entry->key = place->key;
    entry->home = thread->home;
    entry->count++;
    if (mode == HD_MODE_WRITE) entry->writes = true;
}

/* After the measuring run: places that several threads use and one writes, in
 * the order in which they were first used (keys are addresses: no order). */
static void find_places(struct state *self) {
    for (uint32_t i = 0; i < hd_rt->thread_count; i++) {
        const struct hd_thread *thread = hd_rt->threads[i];
        self->met[self->met_count++] = thread->home;
        self->parent[thread->home] = hd_rt->threads[thread->parent]->home;
    }
    for (uint32_t i = 0; i < self->entry_count; i++) {
        const struct entry *first = self->in_order[i];
        bool shared = false, written = first->writes, seen = false;
        for (uint32_t k = 0; k < self->entry_count; k++) {
            const struct entry *other = self->in_order[k];
            if (k == i || other->key != first->key) continue;
            if (k < i) seen = true;
            shared = true;
            written |= other->writes;
        }
        if (shared && written && !seen) self->places[self->place_count++] = first->key;
    }
}

static void end_run(void) {
    struct state *self = HD_STRATEGY_STATE(struct state);
    if (hd_calibrate_end(&self->measured)) find_places(self);
}

const struct hd_strategy_ops hd_strategy_surw = {
    .name = "surw",
    .help = "random walk weighted by the operations that are still to come",
    .numbered = true,
    .partial = true,
    .begin_run = begin_run,
    .pick = pick,
    .choose = choose,
    .touch = touch,
    .end_run = end_run,
};

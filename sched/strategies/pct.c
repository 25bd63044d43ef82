/* pct.c - priorities, with a few changes at random places.
 *
 * Burckhardt, Kothari, Musuvathi, Nagarakatte: A randomized scheduler with
 * probabilistic guarantees of finding bugs, ASPLOS 2010. Threads get random
 * priorities; the one with the highest runs; at D - 1 random steps the running
 * thread falls below all others. A bug that needs D ordering constraints among n
 * threads and k steps is hit with probability at least 1 / (n k^(D-1)).
 *
 * Departures: k is that of one measuring run, not known beforehand. Who yields,
 * or runs long without a point, or keeps others waiting for many times k steps,
 * falls below the others too: the paper's programs do not spin. A deadline passes only when it is the turn of the
 * thread that waits for it, like any other step. */
#include "calibrate.h"
#include "fair.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST 1000 /* changes of priority */

struct state {
    struct hd_calibration measured;
    unsigned depth;
    uint64_t changes[MOST]; /* steps at which a priority falls, ascending */
    unsigned next;          /* change to come */
    uint64_t low;           /* the lowest priority given out so far */
    uint32_t known;         /* threads that have a priority */
    uint64_t priority[65536];
};

static int open_(const char *argument, char *why, size_t size) {
    struct state *self = HD_STRATEGY_STATE(struct state);
    self->depth = 3;
    if (!argument) return 0;
    char *end;
    unsigned long depth = strtoul(argument, &end, 10);
    if (*argument < '0' || *argument > '9' || *end || depth < 1 || depth > MOST) {
        snprintf(why, size, "expected a depth from 1 to %d, not %s", MOST, argument);
        return -1;
    }
    self->depth = (unsigned)depth;
    return 0;
}

static bool begin_run(uint64_t run) {
    struct state *self = HD_STRATEGY_STATE(struct state);
    (void)run;
    self->known = 0;
    self->next = 0;
    self->low = 1UL << 32;
    if (hd_calibrate_begin(&self->measured)) return true;
    uint64_t steps = self->measured.steps ? self->measured.steps : 1;
    for (unsigned i = 0; i + 1 < self->depth; i++) {
        uint64_t at = 1 + hd_rng_next(&hd_rt->rng) % steps;
        unsigned k = i;
        while (k > 0 && self->changes[k - 1] > at) {
            self->changes[k] = self->changes[k - 1];
            k--;
        }
        self->changes[k] = at;
    }
    return true;
}

static int pick(const struct hd_choice *choice) {
    struct state *self = HD_STRATEGY_STATE(struct state);
    if (!self->measured.done) return hd_round_robin_pick(choice);
    while (self->known < hd_rt->thread_count) {
        self->priority[self->known++] = (1UL << 32) + (hd_rng_next(&hd_rt->rng) >> 1);
    }
    bool starving = hd_most_starved(choice, HD_PATIENCE + 10 * self->measured.steps) >= 0;
    if (choice->yielding || starving) self->priority[choice->current] = --self->low;
    for (;;) {
        int best = choice->runnable[0];
        for (size_t i = 1; i < choice->count; i++) {
            int id = choice->runnable[i];
            if (self->priority[id] > self->priority[best]) best = id;
        }
        if (self->next + 1 >= self->depth || hd_rt->steps < self->changes[self->next]) return best;
        self->next++;
        self->priority[best] = --self->low;
    }
}

static int choose(int n) { return (int)hd_rng_below(&hd_rt->rng, (uint32_t)n); }

static void end_run(void) { hd_calibrate_end(&HD_STRATEGY_STATE(struct state)->measured); }

const struct hd_strategy_ops hd_strategy_pct = {
    .name = "pct",
    .help = "random priorities with D - 1 changes; pct:D, D is 3 if not given",
    .numbered = true,
    .partial = true,
    .open = open_,
    .begin_run = begin_run,
    .pick = pick,
    .choose = choose,
    .end_run = end_run,
};

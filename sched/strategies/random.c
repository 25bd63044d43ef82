/* random.c - a coin at every point.
 *
 * random: each runnable thread with the same chance at every point.
 * random:P: stay with the current thread, and switch with probability P.
 *
 * From no paper: the walk that the others are measured against. */
#include "sched/runtime.h"
#include "sched/strategy.h"

#include <stdio.h>
#include <stdlib.h>

struct state {
    double switching; /* < 0: uniform */
};

static int open_(const char *argument, char *why, size_t size) {
    struct state *self = HD_STRATEGY_STATE(struct state);
    self->switching = -1;
    if (!argument) return 0;
    char *end;
    self->switching = strtod(argument, &end);
    if (*argument == '\0' || *end || !(self->switching >= 0 && self->switching <= 1)) {
        snprintf(why, size, "expected a probability from 0 to 1, not %s", argument);
        return -1;
    }
    return 0;
}

static int pick(const struct hd_choice *choice) {
    const struct state *self = HD_STRATEGY_STATE(struct state);
    if (self->switching >= 0 && choice->current_runnable && !choice->yielding &&
        hd_rng_unit(&hd_rt->rng) >= self->switching) {
        return choice->current;
    }
    if (choice->yielding && choice->current_runnable && choice->count > 1) {
        /* somebody else: the current one is left out of the draw */
        uint32_t k = hd_rng_below(&hd_rt->rng, (uint32_t)choice->count - 1);
        int id = choice->runnable[k];
        return id >= choice->current ? choice->runnable[k + 1] : id;
    }
    return choice->runnable[hd_rng_below(&hd_rt->rng, (uint32_t)choice->count)];
}

static int choose(int n) { return (int)hd_rng_below(&hd_rt->rng, (uint32_t)n); }

const struct hd_strategy_ops hd_strategy_random = {
    .name = "random",
    .help = "a random runnable thread at every point; random:P switches with probability P",
    .numbered = true,
    .partial = true,
    .open = open_,
    .pick = pick,
    .choose = choose,
};

/* pos.c - a random priority for every operation.
 *
 * Yuan, Yang, Gu: Partial order aware concurrency sampling, CAV 2018. Every
 * operation that a thread stands before has a random priority; the highest is
 * done. Operations that depend on it then get new priorities, so that the order
 * of those that matter is drawn again and again, while the order of those that
 * do not matter costs nothing.
 *
 * Departures: one who yields goes last; the passing of a deadline depends on
 * everything that has to do with time. */
#include "sched/dependence.h"
#include "sched/runtime.h"
#include "sched/strategy.h"

struct state {
    uint64_t priority[65536];
    uint64_t drawn_at[65536]; /* events of the thread when it was drawn, + 1; 0: draw */
    uint32_t known;
};

static bool begin_run(uint64_t run) {
    (void)run;
    HD_STRATEGY_STATE(struct state)->known = 0;
    return true;
}

static int pick(const struct hd_choice *choice) {
    struct state *self = HD_STRATEGY_STATE(struct state);
    while (self->known < hd_rt->thread_count) self->drawn_at[self->known++] = 0;
    int best = -1;
    for (size_t i = 0; i < choice->count; i++) {
        int id = choice->runnable[i];
        const struct hd_thread *thread = hd_rt->threads[id];
        if (self->drawn_at[id] != thread->events + 1) {
            self->drawn_at[id] = thread->events + 1;
            self->priority[id] = (hd_rng_next(&hd_rt->rng) >> 1) + 1;
        }
        if (choice->yielding && id == choice->current) self->priority[id] = 0;
        bool steps_aside = choice->yielding && best == choice->current;
        if (best < 0 || self->priority[id] > self->priority[best] || steps_aside) best = id;
    }
    const struct hd_thread *winner = hd_rt->threads[best];
    for (uint32_t id = 0; id < self->known; id++) {
        if ((int)id == best || !self->drawn_at[id]) continue;
        if (hd_pending_conflict(winner, hd_rt->threads[id])) self->drawn_at[id] = 0;
    }
    self->drawn_at[best] = 0;
    return best;
}

static int choose(int n) { return (int)hd_rng_below(&hd_rt->rng, (uint32_t)n); }

const struct hd_strategy_ops hd_strategy_pos = {
    .name = "pos",
    .help = "random priorities to operations, drawn anew when they conflict",
    .numbered = true,
    .partial = true,
    .begin_run = begin_run,
    .pick = pick,
    .choose = choose,
};

/* steer.c - toward a goal, and systematically through what it leaves open.
 *
 * The threads that the goal holds (goal.h) are kept from running; among the
 * others, schedules are tried one by one, fewest preemptions first (bounded.c).
 * If nobody else can run, one who is held is let go: a goal may ask for what
 * cannot be. */
#include "goal.h"
#include "inner.h"

#include <stdio.h>

struct state {
    struct hd_inner inner;
    struct hd_goal goal;
    uint32_t known; /* threads that were met in this run */
    uint16_t able[65536];
};

static struct state *self_(void) { return HD_STRATEGY_STATE(struct state); }

static int open_(const char *argument, char *why, size_t size) {
    struct state *self = self_();
    if (!argument || !*argument) {
        snprintf(why, size, "expected goal:FILE");
        return -1;
    }
    if (hd_goal_read(&self->goal, argument, why, size) < 0) return -1;
    return hd_inner_open(&self->inner, "bounded:1000", why, size);
}

static bool begin_run(uint64_t run) {
    struct state *self = self_();
    hd_goal_begin(&self->goal);
    self->known = 0;
    return hd_inner_begin_run(&self->inner, run);
}

static int pick(const struct hd_choice *choice) {
    struct state *self = self_();
    while (self->known < hd_rt->thread_count) {
        hd_goal_born(&self->goal, hd_rt->threads[self->known++]);
    }
    struct hd_choice open = *choice;
    open.runnable = self->able;
    open.count = 0;
    for (size_t i = 0; i < choice->count; i++) {
        const struct hd_thread *thread = hd_rt->threads[choice->runnable[i]];
        if (!hd_goal_holds(&self->goal, thread)) {
            self->able[open.count++] = thread->id;
        } else if (thread->id == choice->current) {
            open.current_runnable = false;
        }
    }
    if (open.count == 0) {
        const struct hd_thread *first = hd_rt->threads[choice->runnable[0]];
        hd_goal_let_go(&self->goal, first);
        return first->id;
    }
    return hd_inner_pick(&self->inner, &open);
}

static int choose(int n) { return hd_inner_choose(&self_()->inner, n); }

static void step(struct hd_thread *thread) {
    struct state *self = self_();
    hd_goal_passed(&self->goal, thread);
    hd_inner_step(&self->inner, thread);
}

const struct hd_strategy_ops hd_strategy_goal = {
    .name = "goal",
    .help = "goal:FILE, hold threads at places until others have passed theirs",
    .partial = true,
    .every = true,
    .open = open_,
    .begin_run = begin_run,
    .pick = pick,
    .choose = choose,
    .step = step,
};

/* steer.c - toward a goal, and systematically through what it leaves open.
 *
 * The threads that the goal holds (goal.h) are kept from running. Of a file with
 * one goal, schedules of the others are tried one by one, fewest preemptions
 * first (bounded.c). Of a file with several, each gets one run, in which those go
 * first on whom somebody is held for. If nobody else can run, or they run for long,
 * one who is held is let go: a goal may ask for what cannot be. */
#include "fair.h"
#include "goal.h"
#include "inner.h"

#include "sched/told.h"

#include <stdio.h>

struct state {
    struct hd_inner inner;
    struct hd_goals goals;
    struct hd_goal *goal; /* of this run */
    uint32_t known;       /* threads that were met in this run */
    uint64_t at_step;     /* at the last choice */
    uint32_t long_runs;   /* since then, one after the other */
    uint16_t able[65536];
};

static struct state *self_(void) { return HD_STRATEGY_STATE(struct state); }

static int open_(const char *argument, char *why, size_t size) {
    struct state *self = self_();
    if (!argument || !*argument) {
        snprintf(why, size, "expected goal:FILE");
        return -1;
    }
    if (hd_goal_read(&self->goals, argument, why, size) < 0) return -1;
    return hd_inner_open(&self->inner, "bounded:1000", why, size);
}

static bool begin_run(uint64_t run) {
    struct state *self = self_();
    self->known = self->long_runs = 0;
    if (self->goals.several && run >= self->goals.count) return false;
    self->goal = &self->goals.list[self->goals.several ? run : 0];
    hd_goal_begin(self->goal);
    return self->goals.several || hd_inner_begin_run(&self->inner, run);
}

static bool among(const struct hd_choice *open, int id) {
    for (size_t i = 0; i < open->count; i++) {
        if (open->runnable[i] == id) return true;
    }
    return false;
}

/* Those who have waited too long or are waited for, then who was running, then those who
 * will be. */
static int guided(const struct state *self, const struct hd_choice *open) {
    int id = hd_most_starved(open, HD_PATIENCE);
    if (id >= 0) return id;
    for (uint32_t at = 0; (id = hd_goal_next(self->goal, true, &at)) >= 0;) {
        if (among(open, id)) return id;
    }
    if (open->current_runnable && !open->yielding) return open->current;
    for (uint32_t at = 0; (id = hd_goal_next(self->goal, false, &at)) >= 0;) {
        if (id != open->current && among(open, id)) return id;
    }
    int later = -1; /* the next in turn, who does not wait for time to pass if there is one */
    for (size_t i = 0; i < open->count; i++) {
        id = open->runnable[i];
        if (hd_rt->threads[id]->by_time) continue;
        if (id > open->current) return id;
        if (later < 0) later = id;
    }
    return later >= 0 ? later : open->runnable[0];
}

#define LONG_RUNS 3 /* some millions of accesses */

/* Has who runs done so for very long without an operation? He may go round in a loop until
 * somebody who is held writes what he reads. */
static bool goes_on_and_on(struct state *self, const struct hd_choice *choice) {
    bool same = self->at_step == hd_rt->steps;
    self->at_step = hd_rt->steps;
    self->long_runs = choice->forced && choice->yielding ? (same ? self->long_runs + 1 : 1) : 0;
    return self->long_runs >= LONG_RUNS;
}

static int first_held(const struct state *self, const struct hd_choice *choice) {
    for (size_t i = 0; i < choice->count; i++) {
        if (hd_goal_holds(self->goal, hd_rt->threads[choice->runnable[i]])) return choice->runnable[i];
    }
    return -1;
}

static int pick(const struct hd_choice *choice) {
    struct state *self = self_();
    while (self->known < hd_rt->thread_count) {
        hd_goal_born(self->goal, hd_rt->threads[self->known++]);
    }
    struct hd_choice open = *choice;
    open.runnable = self->able;
    open.count = 0;
    for (size_t i = 0; i < choice->count; i++) {
        const struct hd_thread *thread = hd_rt->threads[choice->runnable[i]];
        if (!hd_goal_holds(self->goal, thread)) {
            self->able[open.count++] = thread->id;
        } else if (thread->id == choice->current) {
            open.current_runnable = false;
        }
    }
    int starved = hd_most_starved(choice, 2 * HD_PATIENCE); /* the others may be polling for him */
    if (starved < 0 && goes_on_and_on(self, choice)) starved = first_held(self, choice);
    if (open.count == 0 || (starved >= 0 && !among(&open, starved))) {
        int first = starved >= 0 ? starved : choice->runnable[0];
        hd_goal_let_go(self->goal, hd_rt->threads[first]);
        return first;
    }
    return self->goals.several ? guided(self, &open) : hd_inner_pick(&self->inner, &open);
}

static int choose(int n) {
    return self_()->goals.several ? 0 : hd_inner_choose(&self_()->inner, n);
}

static void step(struct hd_thread *thread) {
    struct state *self = self_();
    hd_goal_passed(self->goal, thread);
    if (!self->goals.several) hd_inner_step(&self->inner, thread);
}

/* heddle's own goals (several) are held against what they are for. */
static void end_run(void) {
    struct state *self = self_();
    hd_goal_end(self->goal);
    if (!self->goals.several && hd_goal_kept(self->goal)) hd_note("%s", HD_GOAL_KEPT);
}

static void over(void) {
    if (!self_()->goals.several) hd_goal_tell(&self_()->goals.list[0]);
}

static bool shows(void *pc) { return hd_goal_names(&self_()->goals, (uintptr_t)pc); }

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
    .end_run = end_run,
    .over = over,
    .shows = shows,
};

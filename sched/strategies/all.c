/* all.c - every schedule there is.
 *
 * Plain depth-first search over every choice at every point, with no reduction
 * at all. Nobody would search a program this way: it is what the complete search
 * is held against in tests, where both must come to the same classes of
 * executions and the same outcomes. With all:visible, the start of a thread and
 * the like, which no other thread can see, are no choices (local.h): the search is as
 * complete. With all:K, schedules with more than K preemptions are left out.
 *
 * When data becomes visible that was not, the search starts over. */
#include "local.h"

#include "sched/runtime.h"
#include "sched/strategy.h"

#include <stdio.h>
#include <stdlib.h>

struct node {
    uint32_t answer, answers; /* which of how many: an index, not a thread */
};

struct state {
    struct node *nodes;
    uint32_t room, depth; /* depth: choices made in this execution */
    uint32_t prefix;      /* choices that are given */
    uint32_t shown;       /* how much data was visible when the search began */
    bool begun;
    bool visible;         /* steps that nobody can see are no choices */
    bool bounded;
    uint32_t bound, preemptions; /* allowed; so far */
    uint16_t able[65536];
};

static int open_(const char *argument, char *why, size_t size) {
    struct state *self = HD_STRATEGY_STATE(struct state);
    if (!argument) return 0;
    self->visible = strcmp(argument, "visible") == 0;
    if (self->visible) return 0;
    self->bounded = true;
    char *end;
    self->bound = (uint32_t)strtoul(argument, &end, 10);
    if (*argument >= '0' && *argument <= '9' && !*end) return 0;
    snprintf(why, size, "expected visible or a number of preemptions, not %s", argument);
    return -1;
}

static bool begin_run(uint64_t run) {
    struct state *self = HD_STRATEGY_STATE(struct state);
    (void)run;
    self->preemptions = 0;
    if (!self->begun || hd_rt->shown != self->shown) {
        hd_rt->restarted = self->begun;
        self->begun = true;
        self->shown = hd_rt->shown;
        self->prefix = self->depth = 0;
        return true;
    }
    uint32_t at = self->depth;
    while (at > 0 && self->nodes[at - 1].answer + 1 == self->nodes[at - 1].answers) at--;
    if (at == 0) return false;
    self->nodes[at - 1].answer++;
    self->prefix = at;
    self->depth = 0;
    return true;
}

static uint32_t next(uint32_t answers) {
    struct state *self = HD_STRATEGY_STATE(struct state);
    if (self->depth == self->room) {
        uint32_t room = self->room ? self->room * 2 : 1024;
        struct node *more = hd_lasting(room * sizeof *more);
        if (self->room) memcpy(more, self->nodes, self->room * sizeof *more);
        self->nodes = more;
        self->room = room;
    }
    struct node *node = &self->nodes[self->depth++];
    if (self->depth > self->prefix) *node = (struct node){0, answers};
    return node->answer < answers ? node->answer : answers - 1;
}

/* Would it take the processor from one who can go on? */
static bool preempts(const struct hd_choice *choice, int id) {
    return choice->current_runnable && !choice->yielding && id != choice->current &&
           !hd_rt->threads[choice->current]->by_time && !hd_rt->threads[id]->by_time;
}

/* Who is about to do something that nobody can see; one who starts first. */
static int local_step(const struct hd_choice *choice) {
    int found = -1;
    for (size_t i = 0; i < choice->count; i++) {
        const struct hd_op *op = &hd_rt->threads[choice->runnable[i]]->op;
        if (hd_only_starts(choice->runnable[i])) return choice->runnable[i];
        if (found < 0 && op->mode == HD_MODE_NONE && !op->yielding) found = choice->runnable[i];
    }
    return found;
}

static int pick(const struct hd_choice *choice) {
    struct state *self = HD_STRATEGY_STATE(struct state);
    uint32_t count = 0;
    if (self->visible && !hd_local_steps_count(choice)) {
        int local = local_step(choice);
        if (local >= 0) return local;
    }
    for (size_t i = 0; i < choice->count; i++) {
        int id = choice->runnable[i];
        if (self->bounded && self->preemptions == self->bound && preempts(choice, id)) {
            hd_rt->incomplete = true;
        } else {
            self->able[count++] = (uint16_t)id;
        }
    }
    int id = self->able[count > 1 ? next(count) : 0];
    if (preempts(choice, id)) self->preemptions++;
    return id;
}

static int choose(int n) { return (int)next((uint32_t)n); }

const struct hd_strategy_ops hd_strategy_all = {
    .name = "all",
    .help = "every schedule, without any reduction; for comparison on tiny programs",
    .open = open_,
    .begin_run = begin_run,
    .pick = pick,
    .choose = choose,
};

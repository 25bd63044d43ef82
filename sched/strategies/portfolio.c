/* portfolio.c - several strategies share the runs by what they yield.
 *
 * In rounds: each member has its share of a round, at least one run, more if in
 * the round before it found classes of executions that nobody had seen. A member
 * that has tried all it can leaves; if it was the complete search, there is
 * nothing left for anybody. */
#include "inner.h"

#include <stdio.h>

#define ROUND 60 /* runs */

static const char *const names[] = {"dpor", "bounded:2", "pct:3", "pos", "surw", "random"};
enum { COUNT = sizeof names / sizeof *names };

struct member {
    struct hd_inner inner;
    uint64_t runs;   /* its own, so far */
    uint32_t share;  /* of this round, still to come */
    uint32_t found;  /* new classes in this round */
    bool over;
};

struct state {
    struct member members[COUNT];
    int at; /* whose run it is; -1: none yet */
};

static struct state *self_(void) { return HD_STRATEGY_STATE(struct state); }

static int open_(const char *argument, char *why, size_t size) {
    struct state *self = self_();
    if (argument) {
        snprintf(why, size, "takes no argument");
        return -1;
    }
    self->at = -1;
    for (int i = 0; i < COUNT; i++) {
        if (hd_inner_open(&self->members[i].inner, names[i], why, size) < 0) return -1;
    }
    return 0;
}

static void begin_round(struct state *self) {
    uint32_t total = 0;
    for (int i = 0; i < COUNT; i++) total += self->members[i].over ? 0 : self->members[i].found + 1;
    for (int i = 0; i < COUNT; i++) {
        struct member *member = &self->members[i];
        member->share = member->over ? 0 : 1 + ROUND * (member->found + 1) / total;
        member->found = 0;
    }
}

/* The next one with a share left, in turn. */
static int next_member(const struct state *self) {
    for (int i = 1; i <= COUNT; i++) {
        int at = (self->at + i) % COUNT;
        if (self->members[at].share > 0) return at;
    }
    return -1;
}

static bool begin_run(uint64_t run) {
    struct state *self = self_();
    (void)run;
    if (self->at >= 0 && hd_rt->new_class) self->members[self->at].found++;
    hd_rt->new_class = false;
    for (;;) {
        int at = next_member(self);
        if (at < 0) {
            begin_round(self);
            at = next_member(self);
            if (at < 0) return false;
        }
        struct member *member = &self->members[at];
        self->at = at;
        member->share--;
        bool more = hd_inner_begin_run(&member->inner, member->runs++);
        hd_rt->restarted = hd_rt->incomplete = false; /* what others found counts on */
        if (more) return true;
        if (at == 0) return false; /* dpor: complete */
        member->over = true;
        member->share = 0;
    }
}

static struct hd_inner *inner(void) {
    struct state *self = self_();
    return &self->members[self->at].inner;
}

static int pick(const struct hd_choice *choice) {
    struct hd_inner *of = inner();
    if (choice->count == 1 && !of->ops->every) return choice->runnable[0];
    return hd_inner_pick(of, choice);
}
static int choose(int n) { return hd_inner_choose(inner(), n); }
static void step(struct hd_thread *thread) { hd_inner_step(inner(), thread); }
static void touch(struct hd_thread *thread, struct hd_place *place, enum hd_mode mode) {
    hd_inner_touch(inner(), thread, place, mode);
}
static void end_run(void) {
    hd_inner_end_run(inner());
}

const struct hd_strategy_ops hd_strategy_portfolio = {
    .name = "portfolio",
    .help = "dpor, bounded:2, pct:3, pos, surw and random share the runs by what they yield",
    .every = true,
    .open = open_,
    .begin_run = begin_run,
    .pick = pick,
    .choose = choose,
    .step = step,
    .touch = touch,
    .end_run = end_run,
};

/* portfolio.c - several strategies share the runs by what they yield.
 *
 * In rounds: each member has its share of a round, at least one run, more if in
 * the round before it found classes of executions that nobody had seen. A member
 * that has tried all it can leaves; if it was the complete search, there is
 * nothing left for anybody. A member's run depends on its own runs before it, never
 * on those of others: so it can be done ahead (portfolio_share.c).
 *
 * From no paper: the weights are plain counts of the last round, no bandit's. */
#include "portfolio.h"

#include <stdio.h>

#define ROUND 60   /* runs */
#define STRETCH 32 /* runs of a member that are done ahead by one worker */

static const char *const names[HD_MEMBERS] = {"dpor", "bounded:2", "pct:3", "pos", "surw", "random"};
struct hd_portfolio *hd_portfolio_self(void) { return HD_STRATEGY_STATE(struct hd_portfolio); }

static int open_(const char *argument, char *why, size_t size) {
    struct hd_portfolio *self = hd_portfolio_self();
    if (argument) {
        snprintf(why, size, "takes no argument");
        return -1;
    }
    self->at = -1;
    for (int i = 0; i < HD_MEMBERS; i++) {
        self->members[i].numbered.stretch = STRETCH;
        if (hd_inner_open(&self->members[i].inner, names[i], why, size) < 0) return -1;
    }
    return 0;
}

static void begin_round(struct hd_portfolio *self) {
    uint32_t total = 0;
    for (int i = 0; i < HD_MEMBERS; i++) total += self->members[i].over ? 0 : self->members[i].found + 1;
    for (int i = 0; i < HD_MEMBERS; i++) {
        struct hd_member *member = &self->members[i];
        member->share = member->over ? 0 : 1 + ROUND * (member->found + 1) / total;
        member->found = 0;
    }
}

/* The next one with a share left, in turn. */
static int next_member(const struct hd_portfolio *self) {
    for (int i = 1; i <= HD_MEMBERS; i++) {
        int at = (self->at + i) % HD_MEMBERS;
        if (self->members[at].share > 0) return at;
    }
    return -1;
}

/* A run of a member follows from its own number, not from that among all. */
static bool begin_own(struct hd_member *member, int at, uint64_t run) {
    uint64_t stream = run * HD_MEMBERS + (uint64_t)at;
    if (!hd_rt->config.same) hd_rng_seed(&hd_rt->rng, hd_rt->config.seed, stream);
    return hd_inner_begin_run(&member->inner, run);
}

/* The next run of what this worker was given. */
static bool begin_there(struct hd_portfolio *self) {
    struct hd_member *member = &self->members[self->at];
    uint64_t run = 0;
    if (member->inner.ops->numbered && !hd_numbered_next(&member->numbered, &run)) return false;
    return begin_own(member, self->at, run);
}

/* What the complete search cannot answer for, nobody here can. That others stop at
 * their bounds says nothing of it. */
static void keep_incomplete(struct hd_portfolio *self) {
    if (self->at <= 0 && hd_rt->incomplete) self->incomplete = true;
    hd_rt->incomplete = false;
}

static bool begin_run(uint64_t run) {
    struct hd_portfolio *self = hd_portfolio_self();
    (void)run;
    if (self->there) return begin_there(self);
    keep_incomplete(self);
    if (self->at >= 0 && hd_rt->new_class) self->members[self->at].found++;
    hd_rt->new_class = false;
    for (;;) {
        int at = next_member(self);
        if (at < 0) {
            begin_round(self);
            at = next_member(self);
            if (at < 0) return false;
        }
        struct hd_member *member = &self->members[at];
        self->at = at;
        member->share--;
        uint64_t own = member->runs++;
        bool more = (member->inner.ops->numbered && hd_numbered_take(&member->numbered, own)) ||
                    begin_own(member, at, own);
        keep_incomplete(self);
        hd_rt->restarted = false; /* what others found counts on */
        if (more) return true;
        if (at == 0) { /* dpor: complete */
            hd_rt->incomplete = self->incomplete;
            return false;
        }
        member->over = true;
        member->share = 0;
    }
}

static struct hd_inner *inner(void) {
    struct hd_portfolio *self = hd_portfolio_self();
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
    .share = &hd_portfolio_share,
};

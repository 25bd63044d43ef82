/* dpor.c - the complete search: one execution of every class.
 *
 * Optimal dynamic partial-order reduction (Abdulla, Aronis, Jonsson, Sagonas:
 * Source sets, JACM 2017, algorithm 2). An execution is a path of nodes; a node
 * is a state and what was done there. After an execution, each pair of
 * operations that depend on each other with nothing in between to order them is
 * a race (dpor_race.c): at the node before the earlier one, a sequence that does
 * the later one first is put into the node's wake-up tree. The next execution
 * goes to the deepest node with something left there, and follows the tree as
 * far as it says. A thread whose step was tried at a node sleeps there and below
 * until something is done that its step depends on.
 *
 * Departures from the paper:
 *   - What an operation depends on is its footprint, the places that it touched
 *     when it was done (footprint.h), since that may follow from the state: a
 *     compare-exchange that fails only reads.
 *   - Blocking operations: dpor_gate.c, with the argument why nothing is lost.
 *   - The operation with which an execution ends before its threads do (exit, a
 *     failure) depends on everything.
 *   - Other choices (heddle_choose, which waiter a signal wakes) are nodes too,
 *     with all their answers. Answers are part of sequences; with an answer that
 *     no sequence has, the search goes on freely.
 *   - Where a tree says what turns out not to be possible, everybody who can run
 *     is tried there. Executions that sleep sets then show to be redundant are
 *     ended and not counted (outcome.blocked).
 *   - When data becomes visible that was not, the search starts over. */
#include "dpor.h"
#include "fair.h"

#include "sched/spin.h"
#include "sched/strategy.h"
#include "sched/worker.h"

#include <stdio.h>

static int open_(const char *argument, char *why, size_t size) {
    if (argument) {
        snprintf(why, size, "takes no argument");
        return -1;
    }
    HD_STRATEGY_STATE(struct hd_dpor);
    return 0;
}

/* ---- between executions --------------------------------------------------------- */

bool hd_dpor_sleeps_at(const struct hd_dpor *self, const struct hd_node *node, unsigned thread) {
    for (uint32_t i = 0; i < node->sleeper_count; i++) {
        if (self->sleepers[node->sleepers + i].thread == thread) return true;
    }
    return false;
}

void hd_dpor_sleeps(struct hd_dpor *self, struct hd_node *node, uint16_t thread, uint32_t home,
                    const struct hd_foot *foot) {
    if (self->sleeper_count == self->sleeper_room) {
        uint32_t room = self->sleeper_room ? self->sleeper_room * 2 : 1024;
        struct hd_asleep *more = hd_lasting(room * sizeof *more);
        if (self->sleeper_count) {
            memcpy(more, self->sleepers, self->sleeper_count * sizeof *more);
        }
        self->sleepers = more;
        self->sleeper_room = room;
    }
    self->sleepers[self->sleeper_count++] = (struct hd_asleep){thread, home, *foot};
    node->sleeper_count++;
}

/* What was tried at this node is done: is there more? `*item`: somebody did it. */
static bool advance(struct hd_dpor *self, struct hd_node *node, uint32_t *item) {
    *item = 0;
    if (node->is_value) {
        if (++node->answer < node->answers) {
            self->guide = hd_wake_take_answer(self, &node->left, node->answer);
            return true;
        }
        hd_wake_free(self, node->left);
        node->left = NULL;
        return false;
    }
    self->sleeper_count = node->sleepers + node->sleeper_count;
    hd_dpor_sleeps(self, node, node->thread, node->home, &node->foot);
    while (node->left) {
        struct hd_wake *next = node->left;
        node->left = next->next;
        next->next = NULL;
        if (!hd_dpor_sleeps_at(self, node, next->thread)) {
            node->thread = next->thread;
            node->home = next->home;
            node->tried++;
            node->foot = (struct hd_foot){0};
            self->guide = next->child;
            *item = next->item;
            next->item = 0;
            next->child = NULL;
            hd_wake_free(self, next);
            return true;
        }
        hd_wake_free(self, next);
    }
    return false;
}

static void start_over(struct hd_dpor *self) {
    hd_rt->restarted = self->begun;
    self->begun = true;
    self->shown = hd_rt->shown;
    for (uint32_t i = 0; i < self->depth; i++) hd_wake_free(self, self->nodes[i].left);
    hd_wake_free(self, self->guide);
    self->guide = NULL;
    self->depth = self->sleeper_count = 0;
}

/* To the deepest node with something left; false: there is none. */
static bool go_back(struct hd_dpor *self) {
    uint32_t item = 0;
    if (self->taking && hd_dpor_take(self)) return true;
    hd_wake_free(self, self->guide);
    self->guide = NULL;
    do {
        while (self->depth > self->floor && !advance(self, &self->nodes[self->depth - 1], &item)) {
            self->depth--;
        }
        if (self->depth == self->floor) return false;
    } while (item && hd_dpor_done_ahead(self, item) && !hd_dpor_take(self));
    return true;
}

static bool begin_run(uint64_t run) {
    struct hd_dpor *self = hd_dpor_self();
    (void)run;
    if (!self->begun || hd_rt->shown != self->shown) start_over(self);
    else if (!self->ready && !go_back(self)) return false;
    self->runs++;
    self->ready = false;
    self->prefix = self->depth;
    if (self->taking) return true; /* this one need not be run */
    self->depth = self->open_node = 0;
    self->touch_count = self->touch_room = 0;
    self->last_known = 0;
    return true;
}

/* ---- along an execution ------------------------------------------------------------ */

struct hd_node *hd_dpor_push(struct hd_dpor *self) {
    if (self->depth + 1 >= self->room) { /* one to spare: dpor_race.c */
        uint32_t room = self->room ? self->room * 2 : 1024;
        struct hd_node *more = hd_lasting(room * sizeof *more);
        if (self->room) memcpy(more, self->nodes, self->room * sizeof *more);
        self->nodes = more;
        self->room = room;
    }
    struct hd_node *node = &self->nodes[self->depth++];
    node->touches = self->touch_count;
    node->touch_count = 0;
    node->settled = false;
    node->clock = (struct hd_clock){0};
    return node;
}

/* The operation under way is over: its clock is complete, and if it made a
 * thread, that one comes after it. */
static void close_node(struct hd_dpor *self) {
    uint32_t most = hd_rt->thread_count;
    if (self->last_known < most) {
        if (!self->last) self->last = hd_lasting(65536 * sizeof *self->last);
        while (self->last_known < most) self->last[self->last_known++] = self->open_node;
    }
    if (!self->open_node) return;
    struct hd_node *node = &self->nodes[self->open_node - 1];
    hd_clock_keep(&node->clock, &hd_rt->threads[node->thread]->clock);
    self->open_node = 0;
}

/* Does one who sleeps at this node do so after what was done there? */
static bool sleeps_on(const struct hd_node *node, const struct hd_asleep *sleeper) {
    return sleeper->thread != node->thread && !hd_foot_conflict(&sleeper->foot, &node->foot);
}

/* Who sleeps at a new node: those at the one before whose step does not depend
 * on what was done there. If all do, which is most often, both have one list: it is
 * the last one, and what is added at the new node comes behind its end. */
static void inherit_sleepers(struct hd_dpor *self, struct hd_node *node, uint32_t before) {
    const struct hd_node *parent = before ? &self->nodes[before - 1] : NULL;
    uint32_t count = parent ? parent->sleeper_count : 0, same = 0;
    while (same < count && sleeps_on(parent, &self->sleepers[parent->sleepers + same])) same++;
    if (same == count) {
        node->sleepers = count ? parent->sleepers : self->sleeper_count;
        node->sleeper_count = count;
        return;
    }
    node->sleepers = self->sleeper_count;
    node->sleeper_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct hd_asleep sleeper = self->sleepers[parent->sleepers + i];
        if (i < same || sleeps_on(parent, &sleeper)) {
            hd_dpor_sleeps(self, node, sleeper.thread, sleeper.home, &sleeper.foot);
        }
    }
}

static bool is_local(const struct hd_thread *thread) {
    return thread->op.mode == HD_MODE_NONE && !thread->op.also && !thread->op.yielding;
}

/* Nobody says who: one with a step that concerns nobody else; else the current
 * one; else the first. One who yields, or for whom a deadline would have to
 * pass, comes last; but one who has run for very long waits for just that. Before all of them who has waited longest, if that is too long. */
static int free_pick(const struct hd_dpor *self, const struct hd_node *node,
                     const struct hd_choice *choice) {
    int best = -1;
    uint64_t rank = 0;
    for (size_t i = 0; i < choice->count; i++) {
        int id = choice->runnable[i];
        const struct hd_thread *thread = hd_rt->threads[id];
        if (node->sleeper_count && hd_dpor_sleeps_at(self, node, (unsigned)id)) continue;
        uint64_t starved = hd_starved(thread, HD_PATIENCE);
        bool tired = choice->forced && id == choice->current;
        uint64_t value = starved ? 5 + starved
                         : is_local(thread) ? 5
                         : tired ? 1
                         : thread->by_time ? 1 + (uint64_t)choice->forced
                         : thread->op.yielding ? 2
                         : id == choice->current ? 4
                                                 : 3;
        if (value > rank) {
            rank = value;
            best = id;
            if (rank == 5 && hd_rt->steps <= HD_PATIENCE) break;
        }
    }
    return best;
}

/* What the tree says is not possible here: try everybody. */
static void try_all(struct hd_dpor *self, struct hd_node *node, const struct hd_choice *choice) {
    static const struct hd_foot everything = {.all = true};
    struct hd_wake **end = &node->left;
    while (*end) end = &(*end)->next;
    for (size_t i = 0; i < choice->count; i++) {
        const struct hd_thread *thread = hd_rt->threads[choice->runnable[i]];
        if (thread->id == node->thread) continue;
        *end = hd_wake_new(self, thread->home, &everything);
        (*end)->thread = thread->id;
        end = &(*end)->next;
    }
}

/* Most often it has the id that it had before. */
static const struct hd_thread *living_at(uint32_t home, uint32_t id) {
    if (id < hd_rt->thread_count && hd_rt->threads[id]->home == home) return hd_rt->threads[id];
    for (uint32_t i = 0; i < hd_rt->thread_count; i++) {
        if (hd_rt->threads[i]->home == home) return hd_rt->threads[i];
    }
    return NULL;
}

/* Follow the tree: its first branch that can be gone; the others are left. */
static int guided_pick(struct hd_dpor *self, struct hd_node *node, bool *impossible) {
    struct hd_wake *list = self->guide, **end = &node->left;
    self->guide = NULL;
    int found = -1;
    while (list) {
        struct hd_wake *first = list;
        list = first->next;
        first->next = NULL;
        const struct hd_thread *thread = first->is_value ? NULL : living_at(first->home, first->thread);
        if (!thread || thread->state != HD_THREAD_RUNNABLE) {
            *impossible = true;
            hd_wake_free(self, first);
        } else if (hd_dpor_sleeps_at(self, node, thread->id)) {
            hd_wake_free(self, first);
        } else if (found < 0) {
            found = thread->id;
            self->guide = first->child;
            first->child = NULL;
            hd_wake_free(self, first);
        } else {
            first->thread = thread->id;
            *end = first;
            end = &first->next;
        }
    }
    return found;
}

static int pick(const struct hd_choice *choice) {
    struct hd_dpor *self = hd_dpor_self();
    uint32_t before = self->open_node;
    close_node(self);
    bool repeat = self->depth < self->prefix;
    struct hd_node *node = hd_dpor_push(self);
    int thread;
    if (repeat) {
        thread = node->thread;
    } else {
        node->is_value = false;
        node->tried = 0;
        node->since = self->runs;
        node->left = NULL;
        node->foot = (struct hd_foot){0};
        node->enabled = hd_rt->runnable_first;
        inherit_sleepers(self, node, before);
        bool impossible = false, guided = self->guide != NULL;
        thread = guided ? guided_pick(self, node, &impossible) : -1;
        if (thread < 0 && (!guided || impossible)) thread = free_pick(self, node, choice);
        if (thread < 0) {
            self->depth--;
            hd_rt->outcome.blocked = true;
            return HD_PICK_STOP;
        }
        node->thread = (uint16_t)thread;
        if (impossible) try_all(self, node, choice);
    }
    const struct hd_thread *next = hd_rt->threads[thread];
    if (hd_rt->timed_count > 0) self->timed = true;
    node->called = next->interrupted;
    node->kind = next->op.kind;
    node->mode = HD_MODE_NONE;
    node->settled = false;
    node->vain = next->awaiting && !hd_spin_changed(next);
    node->blocking = next->ready != NULL || next->awaiting;
    node->gated = next->ready != NULL && !next->awaiting;
    node->timed = next->deadline != HD_NEVER;
    node->home = next->home;
    node->slot = next->slot;
    node->epoch = next->epoch; /* unless it does an operation: step */
    node->previous = self->last[thread];
    self->open_node = self->last[thread] = self->depth;
    return thread;
}

static int choose(int n) {
    struct hd_dpor *self = hd_dpor_self();
    bool repeat = self->depth < self->prefix;
    struct hd_node *node = hd_dpor_push(self);
    if (!repeat) {
        node->is_value = true;
        node->answer = 0;
        node->answers = n;
        node->left = self->guide;
        self->guide = hd_wake_take_answer(self, &node->left, 0);
    }
    return node->answer < n ? node->answer : n - 1;
}

static void touch(struct hd_thread *thread, struct hd_place *place, enum hd_mode mode) {
    struct hd_dpor *self = hd_dpor_self();
    (void)thread;
    if (!self->open_node) return;
    struct hd_node *node = &self->nodes[self->open_node - 1];
    if (self->touch_count == self->touch_room) {
        uint32_t room = self->touch_room ? self->touch_room * 2 : 256;
        struct hd_touch_note *more = hd_passing_as_it_is(room * sizeof *more);
        if (self->touch_count) memcpy(more, self->touches, self->touch_count * sizeof *more);
        self->touches = more;
        self->touch_room = room;
    }
    self->touches[self->touch_count] =
        (struct hd_touch_note){self->open_node - 1, place->last_touch, place->gate, (uint8_t)mode};
    place->last_touch = ++self->touch_count;
    node->touch_count++;
    hd_foot_add(&node->foot, place->key, mode);
}

static void step(struct hd_thread *thread) {
    struct hd_dpor *self = hd_dpor_self();
    if (!self->open_node) return;
    struct hd_node *node = &self->nodes[self->open_node - 1];
    node->epoch = thread->epoch;
    node->mode = thread->op.mode;
    node->settled = true;
}

static void end_run(void) {
    struct hd_dpor *self = hd_dpor_self();
    close_node(self);
    if (hd_rt->shown == self->shown) hd_dpor_races(self);
    if (self->floor && self->mixed) hd_dpor_write_stand(self, hd_work_pen());
}

/* Knuth's estimate (1975): at every node of the way, what was tried there and what
 * is left count the same. New branches may still come, so it falls at times. */
static void how_far(struct hd_far *far) {
    const struct hd_dpor *self = hd_dpor_self();
    double weight = 1;
    uint32_t depth = self->depth > self->prefix ? self->depth : self->prefix;
    far->depth = depth;
    for (uint32_t i = 0; i < depth; i++) {
        const struct hd_node *node = &self->nodes[i];
        double done = node->is_value ? node->answer : node->tried, all = done + 1;
        if (node->is_value) all = node->answers;
        for (const struct hd_wake *left = node->is_value ? NULL : node->left; left; left = left->next) all++;
        far->share += weight * done / all;
        weight /= all;
    }
}

const struct hd_strategy_ops hd_strategy_dpor = {
    .name = "dpor",
    .help = "every class of equivalent executions once; complete",
    .every = true,
    .open = open_,
    .begin_run = begin_run,
    .pick = pick,
    .choose = choose,
    .step = step,
    .touch = touch,
    .end_run = end_run,
    .far = how_far,
    .share = &hd_dpor_share,
};

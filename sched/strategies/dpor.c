/* dpor.c - the complete search: one execution of every class.
 *
 * Source-set dynamic partial-order reduction with sleep sets (Abdulla, Aronis,
 * Jonsson, Sagonas, POPL 2014, algorithm 1). Each execution is a path of nodes;
 * a node is a state and what was done there. When an operation of thread p is
 * found to be in a race with an earlier one (they depend on each other and
 * nothing in between orders them), some thread that can start the reversal is
 * put into the backtrack set of the node before the earlier one. The next
 * execution goes again to the deepest node with something left.
 *
 * Departures from the paper:
 *   - Blocking operations. A race is reversed only if the later operation could
 *     have been done at the earlier one's node. Where p stood before that very
 *     operation already, the node's set of enabled threads tells; where it did
 *     not, the reversal is tried and the look backward goes on.
 *   - Ending the process (exit, abort) depends on everything: whoever could still
 *     do something might have done it before.
 *   - Other choices (heddle_choose, which waiter a signal wakes) are nodes too,
 *     with all their answers.
 *   - Executions that sleep sets show to be redundant before their end are ended
 *     there and not counted (outcome.blocked). Wake-up trees would avoid starting
 *     them; complete executions are each of a class of its own either way.
 *   - When data becomes visible that was not, the search starts over. */
#include "sched/dependence.h"
#include "sched/runtime.h"
#include "sched/strategy.h"

#include <stdio.h>

#define THREADS 64

struct node {
    uint64_t enabled, backtrack, done, sleep; /* sets of threads */
    uint16_t thread;   /* who went from here */
    bool is_value;     /* not a scheduling choice but an answer out of `answers` */
    bool filled;       /* the operation is known */
    uint8_t kind, mode;
    int answer, answers;
    uint32_t slot, epoch;
    uint32_t previous; /* node + 1 of the same thread's operation before */
    uint64_t key;
    struct hd_clock clock;
};

struct touch { /* an operation on a place; the latest one is the place's */
    uint32_t node, before;
    uint8_t mode;
    uint64_t key;
};

struct state {
    struct node *nodes;
    uint32_t room, depth; /* depth: nodes of this execution so far */
    uint32_t prefix;      /* nodes that repeat the last execution */
    struct touch *touches;
    uint32_t touch_count, touch_room;
    uint32_t last[THREADS]; /* node + 1 of each thread's latest operation */
    uint32_t shown;         /* how much data was visible when the search began */
    bool begun, too_many, finished;
};

static struct state *self_(void) { return HD_STRATEGY_STATE(struct state); }

static int open_(const char *argument, char *why, size_t size) {
    if (argument) {
        snprintf(why, size, "takes no argument");
        return -1;
    }
    self_();
    return 0;
}

static uint64_t bit(unsigned thread) { return 1UL << (thread & 63); }

/* ---- between executions --------------------------------------------------------- */

static bool begin_run(uint64_t run) {
    struct state *self = self_();
    (void)run;
    if (!self->begun) {
        self->begun = true;
        self->shown = hd_rt->shown;
        self->prefix = 0;
    } else if (hd_rt->shown != self->shown) {
        self->shown = hd_rt->shown;
        self->prefix = 0;
        hd_rt->restarted = true;
    } else {
        uint32_t at = self->depth;
        while (at > 0) {
            struct node *node = &self->nodes[at - 1];
            if (node->is_value) {
                if (node->answer + 1 < node->answers) {
                    node->answer++;
                    break;
                }
            } else {
                node->done |= bit(node->thread);
                uint64_t left = node->backtrack & node->enabled & ~node->done & ~node->sleep;
                if (left) {
                    node->thread = (uint16_t)__builtin_ctzl(left);
                    break;
                }
            }
            at--;
        }
        if (at == 0) return false;
        self->prefix = at;
    }
    self->depth = 0;
    self->touch_count = self->touch_room = 0;
    memset(self->last, 0, sizeof self->last);
    return true;
}

static struct node *push(struct state *self) {
    if (self->depth == self->room) {
        uint32_t room = self->room ? self->room * 2 : 1024;
        struct node *more = hd_lasting(room * sizeof *more);
        if (self->room) memcpy(more, self->nodes, self->room * sizeof *more);
        self->nodes = more;
        self->room = room;
    }
    struct node *node = &self->nodes[self->depth++];
    node->filled = false;
    node->mode = HD_MODE_NONE;
    node->key = 0;
    node->previous = 0;
    node->clock = (struct hd_clock){0};
    return node;
}

/* ---- a scheduling choice ---------------------------------------------------------- */

static uint64_t enabled_now(const struct hd_choice *choice) {
    uint64_t set = 0;
    for (size_t i = 0; i < choice->count; i++) {
        if (choice->runnable[i] < THREADS) set |= bit(choice->runnable[i]);
    }
    return set;
}

/* Does what this thread stands before depend on what the last operation did,
 * at any of the places that it touched? */
static bool woken(const struct state *self, const struct hd_thread *thread) {
    uint32_t before = self->depth - 2;
    for (uint32_t at = self->touch_count; at > 0 && self->touches[at - 1].node == before; at--) {
        const struct touch *touch = &self->touches[at - 1];
        if (hd_depends(&thread->op, touch->key, touch->mode, thread)) return true;
    }
    return false;
}

/* Threads that need not go first here: what they would do was tried at an
 * earlier node and nothing since depends on it. */
static uint64_t asleep(const struct state *self) {
    if (self->depth < 2) return 0;
    const struct node *before = &self->nodes[self->depth - 2];
    if (before->is_value) return before->sleep;
    uint64_t set = (before->sleep | before->done) & ~bit(before->thread);
    uint64_t still = 0;
    for (uint64_t rest = set; rest; rest &= rest - 1) {
        unsigned thread = (unsigned)__builtin_ctzl(rest);
        if (!woken(self, hd_rt->threads[thread])) still |= bit(thread);
    }
    return still;
}

static int pick(const struct hd_choice *choice) {
    struct state *self = self_();
    bool repeat = self->depth < self->prefix;
    if (hd_rt->thread_count > THREADS && !self->too_many) {
        self->too_many = true;
        hd_note("dpor handles up to %d threads; with more the search is not complete", THREADS);
    }
    struct node *node = push(self);
    if (repeat) return node->thread;
    node->is_value = false;
    node->done = 0;
    node->enabled = enabled_now(choice);
    node->sleep = asleep(self);
    uint64_t free = node->enabled & ~node->sleep;
    if (!free) {
        if (node->enabled == 0) return choice->runnable[0]; /* beyond the 64th thread */
        hd_rt->outcome.blocked = true;
        return HD_PICK_STOP;
    }
    int thread = -1;
    if (choice->current_runnable && !choice->yielding && (free & bit((unsigned)choice->current)) &&
        !hd_rt->threads[choice->current]->by_time) {
        thread = choice->current;
    }
    for (uint64_t rest = free; thread < 0 && rest; rest &= rest - 1) {
        int id = __builtin_ctzl(rest);
        if (!hd_rt->threads[id]->by_time && !(choice->yielding && id == choice->current)) thread = id;
    }
    if (thread < 0) thread = __builtin_ctzl(free);
    node->thread = (uint16_t)thread;
    node->backtrack = bit((unsigned)thread);
    return thread;
}

static int choose(int n) {
    struct state *self = self_();
    bool repeat = self->depth < self->prefix;
    struct node *node = push(self);
    if (!repeat) {
        node->is_value = true;
        node->answer = 0;
        node->answers = n;
        node->done = node->backtrack = 0;
        node->enabled = 0;
        node->sleep = asleep(self);
        node->thread = hd_rt->current->id;
    }
    return node->answer < n ? node->answer : n - 1;
}

/* ---- races -------------------------------------------------------------------------- */

static bool comes_before(const struct node *early, const struct hd_clock *late) {
    return hd_clock_get(late, early->slot) >= early->epoch;
}

/* Thread p's operation (now being done, its clock before this place in `clock`)
 * races with the one at node j: who could begin a run in which it goes first? */
static void reverse(struct state *self, uint32_t j, unsigned p, const struct hd_clock *clock,
                    bool p_follows) {
    struct node *early = &self->nodes[j];
    uint64_t seen = 0, initials = 0;
    uint32_t first[THREADS];
    for (uint32_t k = j + 1; k + 1 < self->depth; k++) {
        const struct node *node = &self->nodes[k];
        if (node->is_value || !node->filled || node->thread >= THREADS) continue;
        if (comes_before(early, &node->clock)) continue;
        if (seen & bit(node->thread)) continue;
        bool initial = true;
        for (uint64_t rest = seen; rest && initial; rest &= rest - 1) {
            initial = !comes_before(&self->nodes[first[__builtin_ctzl(rest)]], &node->clock);
        }
        seen |= bit(node->thread);
        first[node->thread] = k;
        if (initial) initials |= bit(node->thread);
    }
    if (!(seen & bit(p)) && !p_follows) {
        bool initial = true;
        for (uint64_t rest = seen; rest && initial; rest &= rest - 1) {
            initial = !comes_before(&self->nodes[first[__builtin_ctzl(rest)]], clock);
        }
        if (initial) initials |= bit(p);
    }
    if (early->backtrack & initials) return;
    uint64_t able = initials & early->enabled;
    if (!able) {
        early->backtrack |= early->enabled;
    } else if (able & bit(p)) {
        early->backtrack |= bit(p);
    } else {
        early->backtrack |= able & -able;
    }
}

enum together { NEVER, MAYBE, SURELY };

/* Could p have done its present operation at node j? */
static enum together together(const struct state *self, uint32_t j, unsigned p,
                              const struct hd_thread *thread) {
    const struct node *early = &self->nodes[j];
    if (self->last[p] <= j) return early->enabled & bit(p) ? SURELY : NEVER;
    if (!thread->was_blocking) return SURELY;
    if (thread->was_timed) return MAYBE; /* its deadline may have passed there */
    if (thread->op.kind == HD_ACQUIRE && early->kind == HD_RELEASE && early->mode == HD_MODE_WRITE &&
        thread->op.mode == HD_MODE_WRITE) {
        return NEVER;
    }
    return MAYBE;
}

/* Thread's operation on this place, at the latest node: what it races with. */
static void races(struct state *self, const struct hd_thread *thread,
                  const struct hd_place *place, enum hd_mode mode) {
    uint32_t here = self->depth - 1;
    bool read_between = false, conflict_between = false;
    for (uint32_t at = place->last_touch; at; at = self->touches[at - 1].before) {
        const struct touch *earlier = &self->touches[at - 1];
        const struct node *node = &self->nodes[earlier->node];
        if (mode == HD_MODE_READ && earlier->mode == HD_MODE_READ) continue;
        if (earlier->node == here || node->thread == thread->id ||
            comes_before(node, &thread->clock)) {
            if (earlier->mode == HD_MODE_WRITE) break;
            continue;
        }
        if (earlier->mode == HD_MODE_WRITE && read_between) break;
        enum together possible = together(self, earlier->node, thread->id, thread);
        if (possible != NEVER) {
            reverse(self, earlier->node, thread->id, &thread->clock, conflict_between);
            if (earlier->mode == HD_MODE_WRITE && possible == SURELY) break;
        }
        if (earlier->mode == HD_MODE_READ) read_between = conflict_between = true;
    }
}

static void touch(struct hd_thread *thread, struct hd_place *place, enum hd_mode mode) {
    struct state *self = self_();
    if (mode == HD_MODE_NONE || thread->id >= THREADS || self->depth == 0) return;
    uint32_t here = self->depth - 1;
    races(self, thread, place, mode);
    if (self->touch_count == self->touch_room) {
        uint32_t room = self->touch_room ? self->touch_room * 2 : 256;
        struct touch *more = hd_passing(room * sizeof *more);
        if (self->touch_count) memcpy(more, self->touches, self->touch_count * sizeof *more);
        self->touches = more;
        self->touch_room = room;
    }
    self->touches[self->touch_count] = 
        (struct touch){here, place->last_touch, (uint8_t)mode, place->key};
    place->last_touch = ++self->touch_count;
}

/* Those who were left standing before an operation that could not be done: in
 * another order it might have been. */
static void end_run(void) {
    struct state *self = self_();
    if (self->depth == 0) return;
    push(self);
    for (uint32_t i = 0; i < hd_rt->thread_count && i < THREADS; i++) {
        struct hd_thread *thread = hd_rt->threads[i];
        if (thread->state != HD_THREAD_BLOCKED || !thread->ready) continue;
        thread->was_blocking = true;
        if (thread->op.mode != HD_MODE_NONE) {
            races(self, thread, thread->op.place, (enum hd_mode)thread->op.mode);
        }
        if (thread->op.also) races(self, thread, thread->op.also, HD_MODE_WRITE);
    }
    self->depth--;
}

static void step(struct hd_thread *thread) {
    struct state *self = self_();
    if (self->depth == 0 || thread->id >= THREADS) return;
    struct node *node = &self->nodes[self->depth - 1];
    if (!node->filled) {
        node->filled = true;
        node->kind = thread->op.kind;
        node->mode = thread->op.mode;
        node->key = thread->op.place ? thread->op.place->key : 0;
        node->slot = thread->slot;
        node->epoch = thread->epoch;
        node->previous = self->last[thread->id];
        self->last[thread->id] = self->depth;
        if (node->key == HD_KEY_PROCESS && node->mode == HD_MODE_WRITE) {
            node->backtrack |= node->enabled;
        }
    }
    hd_clock_copy(&node->clock, &thread->clock);
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
};

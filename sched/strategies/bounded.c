/* bounded.c - every schedule with at most K preemptions, fewest first.
 *
 * Musuvathi, Qadeer: Iterative context bounding, PLDI 2007. A preemption takes
 * the processor from a thread that could go on and did not ask to be let off. It
 * is none when a thread yields, runs long without a point, or when a deadline
 * passes.
 *
 * A schedule is what it does differently from the one without any preemption: a
 * list of (point, alternative). Each run looks, from its last difference on, what
 * else could have been done at each point: without a preemption more, that is
 * tried in the same round, with one more in the next. So each schedule is run
 * once, and only the differences are kept.
 *
 * The start of a thread, up to its first operation, nobody else can see: it is
 * made at once and is no choice. Nor is one preempted before a fork, where right
 * after it does as well. Where that does matter (local.h) a start is a choice, and goes on
 * to the first operation (but for one who has none: what it did the end would not show).
 *
 * When data becomes visible that was not, the search starts over. */
#include "bounded.h"
#include "fair.h"
#include "local.h"

#include "sched/strategy.h"

#include <stdio.h>
#include <stdlib.h>

struct hd_bounded *hd_bounded_self(void) { return HD_STRATEGY_STATE(struct hd_bounded); }

static int open_(const char *argument, char *why, size_t size) {
    struct hd_bounded *self = hd_bounded_self();
    char *end;
    unsigned long bound = argument ? strtoul(argument, &end, 10) : 0;
    if (!argument || *argument < '0' || *argument > '9' || *end || bound > 1000) {
        snprintf(why, size, "expected bounded:K, K preemptions from 0 to 1000");
        return -1;
    }
    self->bound = (uint32_t)bound;
    return 0;
}

static void *grown(void *old, uint32_t count, uint32_t *room, size_t each) {
    if (count < *room) return old;
    uint32_t more = *room ? *room * 2 : 256;
    void *at = hd_lasting(more * each);
    if (count) memcpy(at, old, count * each);
    *room = more;
    return at;
}

void hd_bounded_list(struct hd_items *list, uint32_t item) {
    list->at = grown(list->at, list->count, &list->room, sizeof *list->at);
    list->at[list->count++] = item;
}

/* ---- between runs ------------------------------------------------------------------ */

void hd_bounded_path(struct hd_bounded *self) {
    self->path_count = self->path_at = 0;
    for (uint32_t item = self->item; item; item = self->items[item - 1].parent) {
        self->path = grown(self->path, self->path_count, &self->path_room, sizeof *self->path);
        self->path[self->path_count++] =
            (struct hd_difference){self->items[item - 1].point, self->items[item - 1].alternative};
    }
    for (uint32_t i = 0, k = self->path_count; i + 1 < k; i++) { /* first one first */
        struct hd_difference swap = self->path[i];
        self->path[i] = self->path[--k];
        self->path[k] = swap;
    }
}

static void start_over(struct hd_bounded *self) {
    hd_rt->restarted = self->begun;
    hd_rt->incomplete = false;
    self->begun = true;
    self->shown = hd_rt->shown;
    self->count = self->now.count = self->next.count = 0;
    self->given_count = 0;
    self->level = self->item = 0;
    hd_bounded_path(self);
}

/* Those of the round are through: the next one; false: there is none. */
static bool next_round(struct hd_bounded *self) {
    if (self->next.count == 0 || self->there) return false;
    struct hd_items done = self->now;
    self->now = self->next;
    self->next = done;
    self->level++;
    return true;
}

static bool begin_run(uint64_t run) {
    struct hd_bounded *self = hd_bounded_self();
    (void)run;
    self->point = 0;
    self->last = 0;
    self->starts = false;
    if (!self->begun || hd_rt->shown != self->shown) {
        start_over(self);
        return true;
    }
    if (self->now.count == 0 && !next_round(self)) return false;
    struct hd_parcel own;
    bool done = hd_bounded_done_ahead(self, &own);
    self->item = self->now.at[--self->now.count] + 1;
    hd_bounded_path(self);
    if (done) hd_bounded_take(self, &own);
    return true;
}

/* ---- along a run --------------------------------------------------------------------- */

uint32_t hd_bounded_item(struct hd_bounded *self, uint32_t parent, uint32_t point,
                         uint32_t alternative) {
    self->items = grown(self->items, self->count, &self->room, sizeof *self->items);
    self->items[self->count] = (struct hd_item){parent, point, alternative};
    return self->count++;
}

void hd_bounded_found(struct hd_bounded *self, uint32_t point, uint32_t alternatives,
                      uint32_t free) {
    for (uint32_t i = alternatives; i-- > 1;) {
        bool costs = i >= free;
        if ((costs && self->level == self->bound) || self->count == HD_BOUNDED_MOST) {
            hd_rt->incomplete = true;
        } else if (!costs || !self->there) {
            uint32_t item = hd_bounded_item(self, self->item, point, i);
            hd_bounded_list(costs ? &self->next : &self->now, item);
        }
    }
}

/* The alternative that the schedule says; others, if they are new, are kept. */
static uint32_t take(struct hd_bounded *self, uint32_t alternatives, uint32_t free) {
    uint32_t point = self->point++;
    if (self->path_at < self->path_count) {
        if (self->path[self->path_at].point != point) return 0;
        return self->path[self->path_at++].alternative;
    }
    if (self->there) hd_bounded_write_down(point, alternatives, free);
    hd_bounded_found(self, point, alternatives, free);
    return 0;
}

static bool among(const struct hd_choice *choice, int id) {
    for (size_t i = 0; i < choice->count; i++) {
        if (choice->runnable[i] == id) return true;
    }
    return false;
}

/* Everybody who can run, in the order of alternatives: who would be next without
 * any preemption, others that cost none, then those that cost one. `last` is who
 * did the last operation: who lets others wait too long is taken to yield. */
static uint32_t in_order(const struct hd_choice *choice, int last, uint16_t *order,
                         uint32_t *free) {
    uint32_t count = 0;
    const struct hd_thread *before = hd_rt->threads[last];
    bool able = among(choice, last);
    int starved = hd_most_starved(choice, HD_PATIENCE);
    bool yields = before->op.yielding || starved >= 0;
    bool keeps = able && !yields && !before->by_time;
    if (keeps) order[count++] = (uint16_t)last;
    if (starved >= 0) order[count++] = (uint16_t)starved;
    for (int costs = 0; costs < 2; costs++) {
        for (int late = 0; late < 2; late++) { /* deadlines after what can go by itself */
            for (size_t i = 0; i < choice->count; i++) {
                int id = choice->runnable[i];
                bool by_time = hd_rt->threads[id]->by_time;
                if (id == starved || (id == last && (keeps || yields))) continue;
                if (by_time != (late == 1) || (keeps && !by_time) != (costs == 1)) continue;
                order[count++] = (uint16_t)id;
            }
        }
        if (costs == 0) {
            if (able && yields && last != starved) order[count++] = (uint16_t)last;
            *free = count;
        }
    }
    return count;
}

static int pick(const struct hd_choice *choice) {
    struct hd_bounded *self = hd_bounded_self();
    bool local = !hd_local_steps_count(choice);
    for (size_t i = 0; local && i < choice->count; i++) {
        if (hd_only_starts(choice->runnable[i])) return choice->runnable[i];
    }
    const struct hd_op *op = &hd_rt->threads[self->last]->op;
    if (choice->forced) self->last = choice->current;
    local = local && op->mode == HD_MODE_NONE && !op->yielding;
    bool goes_on = local || (self->starts && op->place != &hd_rt->threads[self->last]->end);
    self->starts = false;
    if (goes_on && !choice->forced && among(choice, self->last)) return self->last;
    uint32_t free, count = in_order(choice, self->last, self->order, &free);
    uint32_t which = count > 1 ? take(self, count, free) : 0;
    int id = self->order[which < count ? which : 0];
    self->starts = hd_only_starts(id);
    if (self->starts) self->last = id;
    return id;
}

static void step(struct hd_thread *thread) { hd_bounded_self()->last = thread->id; }

static int choose(int n) {
    uint32_t answer = take(hd_bounded_self(), (uint32_t)n, (uint32_t)n);
    return answer < (uint32_t)n ? (int)answer : n - 1;
}

static void how_far(struct hd_far *far) { far->bound = hd_bounded_self()->level + 1; }

const struct hd_strategy_ops hd_strategy_bounded = {
    .name = "bounded",
    .help = "every schedule with at most K preemptions, fewest first; bounded:K",
    .open = open_,
    .begin_run = begin_run,
    .pick = pick,
    .choose = choose,
    .step = step,
    .far = how_far,
    .share = &hd_bounded_share,
};

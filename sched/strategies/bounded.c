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
 * after it does as well.
 *
 * When data becomes visible that was not, the search starts over. */
#include "sched/runtime.h"
#include "sched/strategy.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST (1u << 26) /* schedules that are kept in mind */

struct item { /* a schedule: another one up to a point, and one difference there */
    uint32_t parent; /* item + 1; 0: the first schedule */
    uint32_t point;
    uint32_t alternative;
};

struct list { /* items to be run, latest first */
    uint32_t *at;
    uint32_t count, room;
};

struct difference {
    uint32_t point, alternative;
};

struct state {
    uint32_t bound, level; /* preemptions allowed; of the present round */
    struct item *items;
    uint32_t count, room;
    struct list now, next;
    /* this run */
    uint32_t item;         /* + 1; 0: the first */
    struct difference *path;
    uint32_t path_count, path_room, path_at;
    uint32_t point;        /* how many have come */
    int last;              /* who did the last operation */
    uint16_t order[65536]; /* of alternatives at a point */
    bool begun;
    uint32_t shown;
};

static struct state *self_(void) { return HD_STRATEGY_STATE(struct state); }

static int open_(const char *argument, char *why, size_t size) {
    struct state *self = self_();
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

static void list_add(struct list *list, uint32_t item) {
    list->at = grown(list->at, list->count, &list->room, sizeof *list->at);
    list->at[list->count++] = item;
}

/* ---- between runs ------------------------------------------------------------------ */

static void find_path(struct state *self) {
    self->path_count = self->path_at = 0;
    for (uint32_t item = self->item; item; item = self->items[item - 1].parent) {
        self->path = grown(self->path, self->path_count, &self->path_room, sizeof *self->path);
        self->path[self->path_count++] =
            (struct difference){self->items[item - 1].point, self->items[item - 1].alternative};
    }
    for (uint32_t i = 0, k = self->path_count; i + 1 < k; i++) { /* first one first */
        struct difference swap = self->path[i];
        self->path[i] = self->path[--k];
        self->path[k] = swap;
    }
}

static bool begin_run(uint64_t run) {
    struct state *self = self_();
    (void)run;
    self->point = 0;
    self->last = 0;
    if (!self->begun || hd_rt->shown != self->shown) {
        hd_rt->restarted = self->begun;
        hd_rt->incomplete = false;
        self->begun = true;
        self->shown = hd_rt->shown;
        self->count = self->now.count = self->next.count = 0;
        self->level = self->item = 0;
        find_path(self);
        return true;
    }
    if (self->now.count == 0) {
        if (self->next.count == 0) return false;
        struct list done = self->now;
        self->now = self->next;
        self->next = done;
        self->level++;
    }
    self->item = self->now.at[--self->now.count] + 1;
    find_path(self);
    return true;
}

/* ---- along a run --------------------------------------------------------------------- */

/* The alternative that the schedule says; others, if they are new, are kept. */
static uint32_t take(struct state *self, uint32_t alternatives, uint32_t free) {
    uint32_t point = self->point++;
    if (self->path_at < self->path_count) {
        if (self->path[self->path_at].point != point) return 0;
        return self->path[self->path_at++].alternative;
    }
    for (uint32_t i = alternatives; i-- > 1;) {
        bool costs = i >= free;
        if ((costs && self->level == self->bound) || self->count == MOST) {
            hd_rt->incomplete = true;
            continue;
        }
        self->items = grown(self->items, self->count, &self->room, sizeof *self->items);
        self->items[self->count] = (struct item){self->item, point, i};
        list_add(costs ? &self->next : &self->now, self->count++);
    }
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
 * did the last operation. */
static uint32_t in_order(const struct hd_choice *choice, int last, uint16_t *order,
                         uint32_t *free) {
    uint32_t count = 0;
    const struct hd_thread *before = hd_rt->threads[last];
    bool able = among(choice, last);
    bool keeps = able && !before->op.yielding && !before->by_time;
    if (keeps) order[count++] = (uint16_t)last;
    for (int costs = 0; costs < 2; costs++) {
        for (int late = 0; late < 2; late++) { /* deadlines after what can go by itself */
            for (size_t i = 0; i < choice->count; i++) {
                int id = choice->runnable[i];
                bool by_time = hd_rt->threads[id]->by_time;
                if (id == last && (keeps || before->op.yielding)) continue;
                if (by_time != (late == 1) || (keeps && !by_time) != (costs == 1)) continue;
                order[count++] = (uint16_t)id;
            }
        }
        if (costs == 0) {
            if (able && before->op.yielding) order[count++] = (uint16_t)last;
            *free = count;
        }
    }
    return count;
}

static int pick(const struct hd_choice *choice) {
    struct state *self = self_();
    for (size_t i = 0; i < choice->count; i++) {
        if (hd_rt->threads[choice->runnable[i]]->op.kind == HD_START) return choice->runnable[i];
    }
    const struct hd_op *op = &hd_rt->threads[self->last]->op;
    if (among(choice, self->last) && op->mode == HD_MODE_NONE && !op->yielding) {
        return self->last;
    }
    uint32_t free, count = in_order(choice, self->last, self->order, &free);
    uint32_t which = count > 1 ? take(self, count, free) : 0;
    return self->order[which < count ? which : 0];
}

static void step(struct hd_thread *thread) { self_()->last = thread->id; }

static int choose(int n) {
    uint32_t answer = take(self_(), (uint32_t)n, (uint32_t)n);
    return answer < (uint32_t)n ? (int)answer : n - 1;
}

static void how_far(struct hd_far *far) { far->bound = self_()->level + 1; }

const struct hd_strategy_ops hd_strategy_bounded = {
    .name = "bounded",
    .help = "every schedule with at most K preemptions, fewest first; bounded:K",
    .open = open_,
    .begin_run = begin_run,
    .pick = pick,
    .choose = choose,
    .step = step,
    .far = how_far,
};

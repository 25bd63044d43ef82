/* numbered.c - sharing out executions that follow from their numbers.
 *
 * A piece of work is a stretch of numbers. Those that were given out lie ahead of
 * the search, one after the other, and it takes each when it comes to its first
 * number; what a worker did not get to of it is run here. */
#include "run.h"
#include "work.h"

#define STRETCH 256 /* executions */
#define FEW 16      /* if each leaves a trace for somebody to read: he must keep up */
#define MOST 256    /* stretches ahead */

struct hd_numbered {
    uint64_t next, end;   /* there: what is to be run */
    uint64_t ahead;       /* here: the first number that was not given out */
    struct {
        uint64_t first;
        uint32_t id;
    } given[MOST];        /* a ring */
    uint32_t first, count;
    uint32_t open;        /* id of what is being taken; 0: none */
};

static struct hd_numbered *self_(void) {
    if (!hd_rt->numbered) hd_rt->numbered = hd_own(sizeof *hd_rt->numbered);
    return hd_rt->numbered;
}

static void describe(struct hd_parcel *task, uint64_t first) {
    hd_parcel_put(task, &first, sizeof first);
}

static uint64_t stretch(void) { return hd_rt->config.each ? FEW : STRETCH; }

static bool offer(uint32_t id, bool near, struct hd_parcel *task) {
    struct hd_numbered *self = self_();
    if (near || self->count == MOST) return false;
    /* The stretch that has begun is this process's own. */
    uint64_t least = (hd_rt->run / stretch() + 1) * stretch();
    if (self->ahead < least) self->ahead = least;
    if (self->ahead > least + 4 * hd_rt->config.jobs * stretch()) return false;
    self->given[(self->first + self->count) % MOST].first = self->ahead;
    self->given[(self->first + self->count++) % MOST].id = id;
    describe(task, self->ahead);
    self->ahead += stretch();
    return true;
}

static void accept(struct hd_parcel *task) {
    struct hd_numbered *self = self_();
    hd_parcel_get(task, &self->next, sizeof self->next);
    self->end = self->next + stretch();
}

static bool next(void) {
    struct hd_numbered *self = self_();
    if (self->next == self->end) return false;
    hd_rt->run = self->next++;
    return hd_execution_begin();
}

static void forget(void) {
    struct hd_numbered *self = self_();
    self->ahead = 0;
    self->count = self->open = 0;
}

const struct hd_share_ops hd_share_numbered = {
    .offer = offer,
    .accept = accept,
    .next = next,
    .forget = forget,
};

/* Does a stretch that was given out begin here? */
static bool open_here(struct hd_numbered *self) {
    while (self->count && self->given[self->first].first < hd_rt->run) { /* was passed */
        hd_work_drop(self->given[self->first].id);
        self->first = (self->first + 1) % MOST;
        self->count--;
    }
    if (!self->count || self->given[self->first].first != hd_rt->run) return false;
    uint32_t id = self->given[self->first].id;
    self->first = (self->first + 1) % MOST;
    self->count--;
    char text[sizeof(uint64_t)];
    struct hd_parcel task = {.at = text, .room = sizeof text};
    describe(&task, hd_rt->run);
    if (!hd_work_open(id, &task)) return false;
    self->open = id;
    return true;
}

bool hd_work_numbered(struct hd_taken *taken) {
    struct hd_numbered *self = self_();
    struct hd_parcel own;
    if (!self->open && !open_here(self)) return false;
    if (hd_work_next(self->open, &own)) return hd_work_taken(taken);
    self->open = 0;
    return open_here(self) && hd_work_next(self->open, &own) && hd_work_taken(taken);
}


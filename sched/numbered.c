/* numbered.c - see numbered.h. */
#include "numbered.h"

#include "run.h"
#include "work.h"

#define STRETCH 256 /* executions */
#define FEW 16      /* if each leaves a trace for somebody to read: he must keep up */
#define FAR 2       /* stretches ahead for each process */

static void describe(struct hd_parcel *task, uint64_t first) {
    hd_parcel_put(task, &first, sizeof first);
}

bool hd_numbered_offer(struct hd_numbered *self, uint64_t run, uint32_t id,
                       struct hd_parcel *task) {
    /* The stretch that has begun is this process's own. */
    uint64_t least = (run / self->stretch + 1) * self->stretch;
    if (self->ahead < least) self->ahead = least;
    if (self->ahead > least + FAR * hd_rt->config.jobs * self->stretch) return false;
    if (self->count == HD_STRETCHES_AHEAD) return false;
    uint32_t last = (self->first + self->count++) % HD_STRETCHES_AHEAD;
    self->given[last].first = self->ahead;
    self->given[last].id = id;
    describe(task, self->ahead);
    self->ahead += self->stretch;
    return true;
}

void hd_numbered_accept(struct hd_numbered *self, struct hd_parcel *task) {
    hd_parcel_get(task, &self->next, sizeof self->next);
    self->end = self->next + self->stretch;
}

bool hd_numbered_next(struct hd_numbered *self, uint64_t *run) {
    if (self->next == self->end) return false;
    *run = self->next++;
    return true;
}

void hd_numbered_forget(struct hd_numbered *self) {
    self->ahead = 0;
    self->count = self->open = 0;
}

/* Does a stretch that was given out begin here? */
static bool open_here(struct hd_numbered *self, uint64_t run) {
    uint32_t id = 0;
    while (self->count && !id && self->given[self->first].first <= run) {
        if (self->given[self->first].first == run) id = self->given[self->first].id;
        else hd_work_drop(self->given[self->first].id); /* was passed */
        self->first = (self->first + 1) % HD_STRETCHES_AHEAD;
        self->count--;
    }
    char text[sizeof(uint64_t)];
    struct hd_parcel task = {.at = text, .room = sizeof text};
    describe(&task, run);
    if (!id || !hd_work_open(id, &task)) return false;
    self->open = id;
    return true;
}

bool hd_numbered_take(struct hd_numbered *self, uint64_t run) {
    struct hd_parcel own;
    if (self->open && hd_work_next(self->open, &own)) return true;
    self->open = 0;
    return open_here(self, run) && hd_work_next(self->open, &own);
}

/* ---- of a strategy that is numbered as a whole -------------------------------------- */

static struct hd_numbered *whole(void) {
    if (!hd_rt->numbered) {
        hd_rt->numbered = hd_own(sizeof *hd_rt->numbered);
        hd_rt->numbered->stretch = hd_rt->config.each ? FEW : STRETCH;
    }
    return hd_rt->numbered;
}

static bool offer(uint32_t id, bool near, struct hd_parcel *task) {
    (void)near; /* there are never many */
    return hd_numbered_offer(whole(), hd_rt->run, id, task);
}

static void accept(struct hd_parcel *task) { hd_numbered_accept(whole(), task); }

static bool next(void) { return hd_numbered_next(whole(), &hd_rt->run) && hd_execution_begin(); }

static void forget(void) { hd_numbered_forget(whole()); }

const struct hd_share_ops hd_share_numbered = {
    .offer = offer,
    .accept = accept,
    .next = next,
    .forget = forget,
};

bool hd_work_numbered(struct hd_taken *taken) {
    return hd_numbered_take(whole(), hd_rt->run) && hd_work_taken(taken);
}

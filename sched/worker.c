/* worker.c - see worker.h: in the process that searches. */
#include "worker.h"

#include "beyond.h"
#include "descriptors.h"
#include "isolate.h"
#include "pthread/kernel.h"
#include "work.h"

#include <linux/futex.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#define MOST 64  /* processes */
#define EACH 48  /* pieces of work for each that may wait for their turn */
#define LOOKS 3000 /* at a word, before one sleeps: waking takes as long */

struct given { /* a piece of work, here */
    uint32_t id;      /* 0: none */
    uint32_t worker;
    bool dropped;
    uint32_t runs;    /* taken */
    struct hd_parcel results;
};

struct hd_workers {
    const struct hd_share_ops *share;
    struct hd_worker_task task;
    struct hd_hall *hall;
    uint32_t count, works; /* workers, pieces of work */
    uint32_t ids;          /* given out so far, a multiple of `works` */
    int pids[MOST];        /* 0: lost */
    struct given given[MOST * EACH];
    bool taking;
    struct hd_taken taken;
};

static struct hd_workers *self_(void) { return hd_rt->workers; }

uint64_t hd_known_of_data(void) { return ((uint64_t)hd_rt->shown << 32) + hd_rt->var_count; }

static uint32_t notes(void) {
    uint32_t count = 0;
    while (hd_note_at(count)) count++;
    return count;
}

/* A descriptor was made, or there is something to note. */
bool hd_reached_out(void) {
    return hd_rt->opened || hd_went_beyond() || notes() != hd_rt->explore_notes;
}

/* ---- words that processes wait by ---------------------------------------------------- */

static void pause_(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

void hd_work_wait(uint32_t *word, uint32_t value, uint32_t asleep, uint32_t milliseconds) {
    for (uint32_t i = 0; i < LOOKS; i++) {
        if (__atomic_load_n(word, __ATOMIC_ACQUIRE) != value) return;
        pause_();
    }
    uint32_t now = value;
    if (!__atomic_compare_exchange_n(word, &now, asleep, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE)) {
        return;
    }
    struct timespec most = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    hd_kernel(SYS_futex, (long)word, FUTEX_WAIT, asleep, (long)&most, 0, 0);
    now = asleep;
    __atomic_compare_exchange_n(word, &now, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

void hd_work_set(uint32_t *word, uint32_t value, uint32_t asleep) {
    if (__atomic_exchange_n(word, value, __ATOMIC_ACQ_REL) == asleep) {
        hd_kernel(SYS_futex, (long)word, FUTEX_WAKE, 1, 0, 0, 0);
    }
}

/* ---- processes ------------------------------------------------------------------------ */

static void start(struct hd_workers *self, uint32_t which) {
    self->hall->desks[which] = HD_DESK_FREE;
    int pid = hd_fork();
    if (pid == 0) hd_worker_begin(self->hall, which, &self->task, self->share);
    self->pids[which] = pid;
}

static struct hd_hall *hall_for(uint32_t works) {
    return hd_map_aside(sizeof(struct hd_hall) + works * sizeof(struct hd_work),
                        PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1);
}

bool hd_workers_start(uint64_t count, const struct hd_worker_task *task) {
    struct hd_workers *self = self_();
    uint32_t others = (uint32_t)(count < MOST ? count : MOST) - 1;
    if (!self) {
        self = hd_own(sizeof *self);
        self->works = others * EACH;
        self->hall = hall_for(self->works);
        if (!self->hall) return false;
        self->share = hd_rt->strategy->numbered ? &hd_share_numbered : hd_rt->strategy->share;
        hd_rt->workers = self;
    }
    self->task = *task;
    self->count = others;
    for (uint32_t i = 0; i < self->works; i++) {
        self->given[i].id = 0;
        self->hall->works[i].state = HD_WORK_NONE;
    }
    for (uint32_t i = 0; i < others; i++) start(self, i);
    return true;
}

void hd_workers_stop(void) {
    struct hd_workers *self = self_();
    if (!self) return;
    for (uint32_t i = 0; i < self->count; i++) {
        if (self->pids[i] == 0) continue;
        hd_kernel(SYS_kill, self->pids[i], SIGKILL, 0, 0, 0, 0);
        hd_kernel(SYS_wait4, self->pids[i], 0, 0, 0, 0, 0);
        self->pids[i] = 0;
    }
    if (self->count && self->share->forget) self->share->forget();
    self->count = 0;
    for (uint32_t i = 0; i < self->works; i++) self->given[i].id = 0;
}

/* ---- giving ------------------------------------------------------------------------------ */

/* A worker that is lost is no worker, and what it did is not there. */
static bool lost(struct hd_workers *self, uint32_t which) {
    if (self->pids[which] &&
        hd_kernel(SYS_wait4, self->pids[which], 0, WNOHANG, 0, 0, 0) == self->pids[which]) {
        self->pids[which] = 0;
    }
    return self->pids[which] == 0;
}

static bool is_over(const struct hd_workers *self, uint32_t which) {
    return __atomic_load_n(&self->hall->works[which].state, __ATOMIC_ACQUIRE) == HD_WORK_DONE;
}

/* How many pieces of work may be given out; `*which`: one of them. */
static uint32_t unused(struct hd_workers *self, uint32_t *which) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < self->works; i++) {
        struct given *given = &self->given[i];
        if (given->id && given->dropped && is_over(self, i)) given->id = 0;
        if (given->id) continue;
        *which = i;
        count++;
    }
    return count;
}

static bool give(struct hd_workers *self, uint32_t worker) {
    uint32_t which, count = unused(self, &which);
    if (count == 0) return false;
    bool near = count <= self->works / 2; /* what comes last must not take it all */
    struct hd_work *work = &self->hall->works[which];
    struct hd_parcel task = {.at = work->bytes, .room = HD_WORK_ROOM / 4};
    self->ids += self->works;
    uint32_t id = self->ids + which + 1;
    if (!self->share->offer(id, near, &task)) return false;
    self->given[which] = (struct given){.id = id, .worker = worker};
    work->hurry = work->runs = work->spoiled = 0;
    work->task = task.used;
    work->member = hd_rt->member;
    if (task.full) {
        work->spoiled = 1;
        work->state = HD_WORK_DONE;
        return true;
    }
    work->state = HD_WORK_GIVEN;
    hd_work_set(&self->hall->desks[worker], HD_DESK_FIRST + which, HD_DESK_ASLEEP);
    return true;
}

void hd_workers_feed(void) {
    struct hd_workers *self = self_();
    for (uint32_t i = 0; i < self->count; i++) {
        uint32_t desk = __atomic_load_n(&self->hall->desks[i], __ATOMIC_ACQUIRE);
        if (desk >= HD_DESK_FIRST) continue;
        if (desk == HD_DESK_GONE) {
            if (!lost(self, i)) continue;
            start(self, i);
        }
        if (!give(self, i)) return;
    }
}

/* ---- taking -------------------------------------------------------------------------------- */

static struct given *given_of(uint32_t id) {
    struct hd_workers *self = self_();
    if (!id || !self || !self->count) return NULL;
    struct given *given = &self->given[(id - 1) % self->works];
    return given->id == id ? given : NULL;
}

bool hd_work_given(uint32_t id) { return given_of(id) != NULL; }

static struct hd_work *work_of(const struct given *given) {
    return &self_()->hall->works[given - self_()->given];
}

void hd_work_drop(uint32_t id) {
    struct given *given = given_of(id);
    if (!given) return;
    given->dropped = true;
    __atomic_store_n(&work_of(given)->hurry, 1, __ATOMIC_RELAXED);
}

bool hd_work_open(uint32_t id, const struct hd_parcel *task) {
    struct given *given = given_of(id);
    if (!given) return false;
    struct hd_work *work = work_of(given);
    hd_work_drop(id); /* if nothing comes of it */
    if (task->full || task->used != work->task ||
        memcmp(task->at, work->bytes, task->used) != 0) {
        return false;
    }
    while (!is_over(self_(), (uint32_t)(given - self_()->given))) {
        hd_work_wait(&work->state, HD_WORK_GIVEN, HD_WORK_AWAITED, 20);
        if (work->state != HD_WORK_DONE && lost(self_(), given->worker)) {
            work->state = HD_WORK_DONE;
            work->spoiled = 1;
            self_()->hall->desks[given->worker] = HD_DESK_GONE;
        }
    }
    if (work->spoiled || work->runs == 0) return false;
    given->dropped = false;
    given->results = (struct hd_parcel){.at = work->bytes + work->task,
                                        .room = work->used - work->task};
    return true;
}

bool hd_work_next(uint32_t id, struct hd_parcel *own) {
    struct hd_workers *self = self_();
    struct given *given = given_of(id);
    HD_BUG_ON(!given, "work %u is taken and not there", id);
    struct hd_work *work = work_of(given);
    struct hd_parcel *results = &given->results;
    if (given->runs == work->runs) {
        *own = *results;
        own->at += own->used;
        own->room -= own->used;
        own->used = 0;
        given->id = 0;
        return false;
    }
    struct hd_work_head head;
    given->runs++;
    hd_parcel_get(results, &head, sizeof head);
    *own = (struct hd_parcel){.at = hd_parcel_next(results, head.own), .room = head.own};
    self->taken = (struct hd_taken){.ran = head.ran, .length = head.text};
    if (head.text) self->taken.text = hd_parcel_next(results, head.text);
    self->taking = true;
    if (head.incomplete) hd_rt->incomplete = true;
    return true;
}

bool hd_work_taken(struct hd_taken *taken) {
    struct hd_workers *self = self_();
    if (!self || !self->taking) return false;
    self->taking = false;
    *taken = self->taken;
    taken->ran.run = hd_rt->run;
    return true;
}

/* worker_there.c - see worker.h: in a worker. */
#include "descriptors.h"
#include "isolate.h"
#include "output.h"
#include "report.h"
#include "run.h"
#include "work.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ENOUGH 512 /* executions of one piece of work: more may never be asked for */
#define TOLD 64

struct hd_there {
    const struct hd_worker_task *task;
    const struct hd_share_ops *share;
    struct hd_hall *hall;
    uint32_t me;
    uint64_t known;
    int fd; /* lines are written there and read back */
    struct hd_parcel out;
    uint64_t told[TOLD]; /* outcomes of this piece of work */
    uint32_t told_count;
};

struct hd_parcel *hd_work_pen(void) { return hd_rt->there ? &hd_rt->there->out : NULL; }

/* Files are read, and output written, without meeting others there. */
static void apart(void) {
    hd_output_apart();
    hd_descriptors_apart();
}

/* Will somebody who has not met such an outcome ask how it came about? */
static bool is_news(struct hd_there *self, const struct hd_ran *ran) {
    if (ran->blocked) return false;
    if (hd_rt->config.each) return true;
    if (hd_tally_knows(self->task->tally, ran->outcome)) return false;
    for (uint32_t i = 0; i < self->told_count; i++) {
        if (self->told[i] == ran->outcome) return false;
    }
    if (self->told_count < TOLD) self->told[self->told_count++] = ran->outcome;
    return true;
}

/* Its lines, but for the first two: they say the numbers that it has here. */
static uint32_t tell(struct hd_there *self) {
    syscall(SYS_ftruncate, self->fd, 0);
    syscall(SYS_lseek, self->fd, 0, SEEK_SET);
    self->task->tell(self->task->argument, self->fd);
    long size = syscall(SYS_lseek, self->fd, 0, SEEK_END), skip = 0;
    char start[256];
    long n = syscall(SYS_pread64, self->fd, start, sizeof start, 0);
    for (int lines = 0; skip < n && lines < 2; skip++) lines += start[skip] == '\n';
    char *text = size > skip ? hd_parcel_take(&self->out, (uint32_t)(size - skip)) : NULL;
    if (!text || syscall(SYS_pread64, self->fd, text, size - skip, skip) != size - skip) {
        self->out.full = true;
        return 0;
    }
    return (uint32_t)(size - skip);
}

/* May others go on from what this execution has found? */
static bool is_sound(const struct hd_there *self) {
    return hd_known_of_data() == self->known && !hd_reached_out() && !hd_rt->restarted &&
           !(hd_rt->stop_at && hd_real_now() > hd_rt->stop_at);
}

/* One execution; false: there are no more. */
static bool execution(struct hd_there *self, bool *sound) {
    struct hd_work_head head;
    uint32_t at = self->out.used;
    hd_parcel_take(&self->out, sizeof head);
    hd_rt->incomplete = false;
    if (!(self->share->next ? self->share->next() : hd_execution_begin())) {
        self->out.used = at;
        return false;
    }
    self->task->run(self->task->argument);
    *sound = is_sound(self);
    if (!*sound) return true;
    memset(&head, 0, sizeof head);
    head.ran = self->task->look(self->task->argument);
    head.incomplete = hd_rt->incomplete;
    head.own = self->out.used - at - (uint32_t)sizeof head;
    if (is_news(self, &head.ran)) head.text = tell(self);
    if (!self->out.full) memcpy(self->out.at + at, &head, sizeof head);
    self->task->restore(self->task->argument);
    return true;
}

static void do_work(struct hd_there *self, struct hd_work *work) {
    struct hd_parcel task = {.at = work->bytes, .room = work->task};
    self->out = (struct hd_parcel){.at = work->bytes + work->task,
                                   .room = HD_WORK_ROOM - work->task};
    self->told_count = 0;
    hd_rt->member = work->member;
    self->share->accept(&task);
    bool sound = true;
    uint32_t runs = 0;
    uint32_t enough = hd_rt->config.eager ? 3 : ENOUGH;
    while (sound && execution(self, &sound)) {
        runs++;
        if (__atomic_load_n(&work->hurry, __ATOMIC_RELAXED) || runs == enough) break;
        if (self->out.used > self->out.room / 2) break;
    }
    if (sound && self->share->rest) self->share->rest(&self->out);
    work->runs = runs;
    work->used = work->task + self->out.used;
    work->spoiled = !sound || self->out.full;
    if (!sound) __atomic_store_n(&self->hall->desks[self->me], HD_DESK_GONE, __ATOMIC_RELEASE);
    hd_work_set(&work->state, HD_WORK_DONE, HD_WORK_AWAITED);
    if (!sound) syscall(SYS_exit_group, 0);
}

void hd_worker_begin(struct hd_hall *hall, uint32_t me, const struct hd_worker_task *task,
                     const struct hd_share_ops *share) {
    struct hd_there *self = hd_rt->there = hd_own(sizeof *self);
    *self = (struct hd_there){.task = task, .share = share, .hall = hall, .me = me};
    self->known = hd_known_of_data();
    hd_rt->workers = NULL; /* they are not this process's */
    int fd = (int)syscall(SYS_memfd_create, "lines", MFD_CLOEXEC);
    self->fd = fcntl(fd, F_DUPFD_CLOEXEC, HD_OWN_DESCRIPTORS);
    close(fd);
    apart();
    uint32_t *desk = &hall->desks[me];
    for (;;) {
        uint32_t given = __atomic_load_n(desk, __ATOMIC_ACQUIRE);
        if (given < HD_DESK_FIRST) {
            hd_work_wait(desk, HD_DESK_FREE, HD_DESK_ASLEEP, 1000);
            continue;
        }
        do_work(self, &hall->works[given - HD_DESK_FIRST]);
        __atomic_store_n(desk, HD_DESK_FREE, __ATOMIC_RELEASE);
    }
}

/* worker.c - see worker.h.
 *
 * A worker writes to a pipe: for each execution a head, and behind it, where the
 * head says so, the lines that tell of it (result.c), which end with "end". */
#include "worker.h"

#include "descriptors.h"
#include "isolate.h"
#include "output.h"
#include "pthread/kernel.h"
#include "report.h"
#include "run.h"
#include "runtime.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define BLOCK 32 /* executions in a row by one process */
#define MOST 64  /* processes */
#define HEADS 16384

struct head {
    struct hd_ran ran;
    bool told; /* lines about it follow */
};

struct worker {
    int pid, fd;
    char *buffer; /* what was read and not taken yet: [at, used) */
    size_t at, used, room;
};

struct hd_workers {
    uint64_t first, count;
    struct worker list[MOST]; /* of number 1 and up; 0 is this process */
};

uint64_t hd_known_of_data(void) { return ((uint64_t)hd_rt->shown << 32) + hd_rt->var_count; }

static uint32_t notes(void) {
    uint32_t count = 0;
    while (hd_note_at(count)) count++;
    return count;
}

/* A descriptor was made, or there is something to note. */
bool hd_reached_out(void) { return hd_rt->opened || notes() != hd_rt->explore_notes; }

/* Whose turn an execution is. */
static uint64_t turn(uint64_t first, uint64_t count, uint64_t run) {
    return (run - first) / BLOCK % count;
}

/* ---- in a worker ----------------------------------------------------------------------- */

struct pen { /* heads are gathered: a system call for each would cost as much as it */
    int fd;
    size_t used;
    char text[HEADS];
};

static void leave(void) __attribute__((noreturn));
static void leave(void) {
    syscall(SYS_exit_group, 0);
    __builtin_unreachable();
}

static void put_out(struct pen *pen) {
    for (size_t done = 0; done < pen->used;) {
        long n = syscall(SYS_write, pen->fd, pen->text + done, pen->used - done);
        if (n <= 0) leave();
        done += (size_t)n;
    }
    pen->used = 0;
}

static void put(struct pen *pen, const void *data, size_t size) {
    if (pen->used + size > sizeof pen->text) put_out(pen);
    memcpy(pen->text + pen->used, data, size);
    pen->used += size;
}

/* Standard input is read, and output written, without meeting others there. */
static void apart(void) {
    int input = open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC);
    long at = lseek(0, 0, SEEK_CUR);
    if (input >= 0) {
        dup2(input, 0);
        close(input);
        if (at > 0) lseek(0, at, SEEK_SET);
    }
    hd_output_apart();
    hd_descriptors_keep();
}

static void work(const struct hd_workers *self, uint64_t me, const struct hd_worker_task *task,
                 struct pen *pen) __attribute__((noreturn));
static void work(const struct hd_workers *self, uint64_t me, const struct hd_worker_task *task,
                 struct pen *pen) {
    uint64_t known = hd_known_of_data();
    apart();
    for (;; hd_rt->run++) {
        if (turn(self->first, self->count, hd_rt->run) != me) {
            hd_rt->run += BLOCK - (hd_rt->run - self->first) % BLOCK - 1;
            continue;
        }
        task->run(task->argument);
        /* One that changes those after it, whoever asked for it runs again. */
        if (hd_known_of_data() != known || hd_reached_out()) break;
        struct head head = {.ran = task->look(task->argument)};
        uint32_t which;
        head.told = (hd_tally_add(task->tally, &head.ran, &which) || hd_rt->config.each) &&
                    !head.ran.blocked;
        put(pen, &head, sizeof head);
        if (head.told) {
            put_out(pen);
            task->tell(task->argument, pen->fd);
        } else if ((hd_rt->run - self->first) % BLOCK == BLOCK - 1) {
            put_out(pen);
        }
        task->restore(task->argument);
        if (hd_rt->stop_at && hd_real_now() > hd_rt->stop_at) break;
    }
    put_out(pen);
    leave();
}

/* ---- here -------------------------------------------------------------------------------- */

struct hd_workers *hd_workers_start(uint64_t count, const struct hd_worker_task *task) {
    if (!hd_rt->workers) hd_rt->workers = hd_own(sizeof *hd_rt->workers);
    struct hd_workers *self = hd_rt->workers;
    self->first = hd_rt->run;
    self->count = count < MOST ? count : MOST;
    for (uint64_t i = 1; i < self->count; i++) {
        struct worker *worker = &self->list[i];
        int ends[2];
        worker->at = worker->used = 0;
        worker->pid = 0;
        if (hd_kernel(SYS_pipe2, (long)ends, O_CLOEXEC, 0, 0, 0, 0) < 0) {
            hd_workers_stop(self);
            return NULL;
        }
        worker->fd = fcntl(ends[0], F_DUPFD_CLOEXEC, HD_OWN_DESCRIPTORS);
        int fd = fcntl(ends[1], F_DUPFD_CLOEXEC, HD_OWN_DESCRIPTORS);
        close(ends[0]);
        close(ends[1]);
        int pid = hd_fork();
        if (pid == 0) {
            for (uint64_t k = 1; k <= i; k++) close(self->list[k].fd);
            struct pen *pen = hd_own(sizeof *pen);
            pen->fd = fd;
            work(self, i, task, pen);
        }
        close(fd);
        worker->pid = pid;
    }
    return self;
}

void hd_workers_stop(struct hd_workers *self) {
    for (uint64_t i = 1; i < self->count; i++) {
        struct worker *worker = &self->list[i];
        if (worker->pid == 0) break;
        hd_kernel(SYS_kill, worker->pid, SIGKILL, 0, 0, 0, 0);
        hd_kernel(SYS_wait4, worker->pid, 0, 0, 0, 0, 0);
        close(worker->fd);
        worker->pid = 0;
    }
}

bool hd_workers_have(const struct hd_workers *self) {
    return turn(self->first, self->count, hd_rt->run) != 0;
}

/* `size` more bytes than are there now; false: there are no more to come. */
static bool more(struct worker *self, size_t size) {
    while (self->used - self->at < size) {
        if (self->at) memmove(self->buffer, self->buffer + self->at, self->used - self->at);
        self->used -= self->at;
        self->at = 0;
        if (self->room < size + 65536) {
            char *bigger = hd_own(2 * (size + 65536));
            if (self->used) memcpy(bigger, self->buffer, self->used);
            self->buffer = bigger;
            self->room = 2 * (size + 65536);
        }
        long n = syscall(SYS_read, self->fd, self->buffer + self->used, self->room - self->used);
        if (n <= 0) return false;
        self->used += (size_t)n;
    }
    return true;
}

/* The next line, without its end, or NULL. */
static const char *line(struct worker *self, size_t *length) {
    for (size_t look = 0;; look++) {
        if (!more(self, look + 1)) return NULL;
        if (self->buffer[self->at + look] != '\n') continue;
        const char *text = self->buffer + self->at;
        *length = look;
        self->at += look + 1;
        return text;
    }
}

/* Up to and with the line "end". */
static const char *block(struct worker *self, size_t *length) {
    static const char mark[] = "\nend\n";
    for (size_t look = sizeof mark - 1;; look++) {
        if (!more(self, look)) return NULL;
        const char *text = self->buffer + self->at;
        if (memcmp(text + look - (sizeof mark - 1), mark, sizeof mark - 1) != 0) continue;
        *length = look;
        self->at += look;
        return text;
    }
}

bool hd_workers_take(struct hd_workers *self, struct hd_ran *ran, const char **text,
                     size_t *length) {
    struct worker *worker = &self->list[turn(self->first, self->count, hd_rt->run)];
    struct head head;
    if (!more(worker, sizeof head)) return false;
    memcpy(&head, worker->buffer + worker->at, sizeof head);
    worker->at += sizeof head;
    HD_BUG_ON(head.ran.run != hd_rt->run, "a worker ran execution %lu, not %lu", head.ran.run,
              hd_rt->run);
    *text = NULL;
    if (head.told && (!line(worker, length) || !(*text = block(worker, length)))) return false;
    *ran = head.ran;
    return true;
}

/* files.c - see files.h. */
#include "files.h"

#include "../access.h"
#include "../pthread/block.h"
#include "../pthread/kernel.h"
#include "../spin.h"
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

#define KNOWN 1024 /* descriptors that are told apart; beyond, all are asked each time */

enum kind { UNKNOWN, PLAIN, WAITS, SOCKET, RANDOM };

struct descriptor {
    uint8_t kind;
    bool inner; /* both ends are in this process: nothing comes from outside */
    bool made;  /* by this execution */
};

struct hd_outside { /* what a thread waits for */
    struct hd_outside *next;
    size_t count;
    struct pollfd set[];
};

struct hd_files_state {
    uint32_t generation;
    struct descriptor known[KNOWN];
    uint64_t cell[KNOWN]; /* their addresses stand for the positions of descriptors */
    struct hd_outside *outside;
    bool noted;
};

static struct hd_files_state *state(void) {
    if (hd_unlikely(!hd_rt->files)) hd_rt->files = hd_lasting(sizeof *hd_rt->files);
    struct hd_files_state *self = hd_rt->files;
    if (hd_unlikely(self->generation != hd_rt->generation)) {
        self->generation = hd_rt->generation;
        memset(self->known, 0, sizeof self->known);
        self->outside = NULL;
    }
    return self;
}

static enum kind look(int fd) {
    struct stat about;
    long rc = hd_kernel(SYS_fstat, fd, (long)&about, 0, 0, 0, 0);
    if (rc < 0) return PLAIN; /* the operation will say so */
    if (S_ISSOCK(about.st_mode)) return SOCKET;
    if (S_ISREG(about.st_mode) || S_ISDIR(about.st_mode) || S_ISBLK(about.st_mode)) return PLAIN;
    if (S_ISCHR(about.st_mode) && major(about.st_rdev) == 1) { /* null, zero: always an answer */
        unsigned which = minor(about.st_rdev);
        return which == 8 || which == 9 ? RANDOM : PLAIN;
    }
    return WAITS;
}

static enum kind kind_of(int fd) {
    if (fd < 0 || fd >= KNOWN) return look(fd);
    struct descriptor *known = &state()->known[fd];
    if (known->kind == UNKNOWN) known->kind = (uint8_t)look(fd);
    return known->kind;
}

bool hd_files_may_wait(int fd) { return kind_of(fd) == WAITS || kind_of(fd) == SOCKET; }
bool hd_files_is_random(int fd) { return kind_of(fd) == RANDOM; }
bool hd_files_is_socket(int fd) { return kind_of(fd) == SOCKET; }

/* ---- steps -------------------------------------------------------------------------- */

static struct hd_var *content(void) {
    return hd_var_get((uintptr_t)&hd_rt->pseudo[HD_KEY_FILES], 8);
}

void hd_files_written(int fd) {
    struct stat about;
    if (!hd_inside() || !hd_rt->explore) return;
    if (fd >= 0 && hd_kernel(SYS_fstat, fd, (long)&about, 0, 0, 0, 0) == 0 &&
        S_ISREG(about.st_mode)) {
        hd_note("files written by an execution are not put back before the next");
    }
}

void hd_files_open(void *pc) {
    if (!hd_inside()) return;
    int saved = errno;
    hd_rt->opened = true;
    hd_spin_outside(hd_rt->current);
    if (hd_access_hidden(content(), true, pc)) {
        hd_step(HD_NONE, hd_pseudo(HD_KEY_FILES), HD_MODE_WRITE, pc);
    }
    errno = saved;
}

void hd_files_new(int fd, int of) {
    if (!hd_inside() || fd < 0 || fd >= KNOWN) return;
    struct descriptor none = {UNKNOWN, false, true};
    state()->known[fd] = of >= 0 && of < KNOWN ? state()->known[of] : none;
}

void hd_files_pair(const int pair[2]) {
    if (!hd_inside()) return;
    for (int i = 0; i < 2; i++) {
        hd_files_new(pair[i], -1);
        if (pair[i] < KNOWN) state()->known[pair[i]].inner = true;
    }
}

void hd_files_close(int fd, void *pc) {
    if (!hd_inside()) return;
    hd_files_open(pc); /* the number is free again: a change like any other */
    if (fd >= 0) hd_rt->replaced = true;
    hd_files_new(fd, -1);
}

static FILE *standard(int fd) { return fd == 0 ? stdin : fd == 1 ? stdout : stderr; }

void hd_files_step(int fd, bool change, void *pc) {
    if (!hd_inside()) return;
    struct hd_thread *self = hd_rt->current;
    hd_spin_outside(self);
    if (fd >= 0 && fd <= 2) {
        hd_stream_step(standard(fd), fd == 0 ? HD_NONE : HD_OUTPUT, pc);
        return;
    }
    struct hd_place *files = hd_pseudo(HD_KEY_FILES);
    if (hd_files_may_wait(fd)) {
        hd_step(HD_NONE, files, HD_MODE_WRITE, pc);
        return;
    }
    /* Two things in one step: the position of the descriptor, what is in files. */
    struct hd_var *position = hd_var_get((uintptr_t)&state()->cell[fd & (KNOWN - 1)], 8);
    hd_collect(self);
    uint64_t events = self->events;
    bool point = hd_access_hidden(position, true, pc);
    if (!point) self->events = events;
    if (hd_access_hidden(content(), change, pc) || point) {
        self->events = events;
        hd_step(HD_NONE, files, HD_MODE_WRITE, pc);
    }
}

/* ---- waiting ------------------------------------------------------------------------- */

struct hd_outside *hd_files_await(const struct pollfd *set, size_t count) {
    struct hd_files_state *self = state();
    struct hd_outside *outside = hd_passing(sizeof *outside + count * sizeof *set);
    for (size_t i = 0; i < count; i++) {
        int fd = set[i].fd;
        if (fd < 0 || (fd < KNOWN && self->known[fd].inner)) continue;
        outside->set[outside->count++] = set[i];
    }
    if (outside->count == 0) return NULL;
    outside->next = self->outside;
    return self->outside = outside;
}

void hd_files_awaited(struct hd_outside *outside) {
    struct hd_outside **at = &state()->outside;
    while (*at && *at != outside) at = &(*at)->next;
    if (*at) *at = outside->next;
}

static bool can(struct hd_thread *thread, void *argument) {
    (void)thread;
    struct pollfd ask = *(const struct pollfd *)argument;
    struct timespec none = {0, 0};
    return hd_kernel(SYS_ppoll, (long)&ask, 1, (long)&none, 0, 0, 0) != 0;
}

/* A pipe or socket that the program was started with: there is no way back in it. */
static void will_be_gone(int fd) {
    struct stat about;
    if (!hd_rt->explore || fd < 0 || fd >= KNOWN || state()->known[fd].made) return;
    if (hd_kernel(SYS_fstat, fd, (long)&about, 0, 0, 0, 0) < 0) return;
    if (!S_ISFIFO(about.st_mode) && !S_ISSOCK(about.st_mode)) return;
    hd_note("what an execution reads from descriptor %d, a pipe or socket that was open before, is "
            "gone for the next", fd);
    hd_rt->incomplete = true;
}

int hd_files_wait(int fd, short events, void *pc) {
    if (!hd_inside()) return 0;
    if ((events & POLLIN) && hd_files_may_wait(fd)) will_be_gone(fd);
    if (!hd_files_may_wait(fd)) {
        hd_cancel_point(pc);
        return 0;
    }
    long flags = hd_kernel(SYS_fcntl, fd, F_GETFL, 0, 0, 0, 0);
    if (flags < 0 || (flags & O_NONBLOCK)) { /* the call will say so */
        hd_cancel_point(pc);
        hd_step(HD_NONE, hd_pseudo(HD_KEY_FILES), HD_MODE_WRITE, pc);
        return 0;
    }
    struct pollfd ask = {fd, events, 0};
    struct hd_outside *outside = hd_files_await(&ask, 1);
    enum hd_wake wake = hd_block(HD_NONE, hd_pseudo(HD_KEY_FILES), HD_MODE_WRITE, pc, can, &ask,
                                 HD_NEVER, HD_CANCELABLE | HD_INTERRUPTIBLE);
    hd_files_awaited(outside);
    if (wake == HD_CANCELED) hd_cancel_now();
    if (wake == HD_INTERRUPTED) {
        errno = EINTR;
        return -1;
    }
    return 0;
}

void hd_files_changed(void) {
    if (!hd_inside()) return;
    hd_rt->progress_step = hd_rt->steps;
    struct hd_place *files = hd_pseudo(HD_KEY_FILES);
    if (files->pending) hd_changed(files);
}

bool hd_files_outside(void) {
    const struct hd_files_state *self = hd_rt->files;
    if (!self || self->generation != hd_rt->generation || !self->outside) return false;
    struct pollfd ask[64];
    long count = 0;
    for (const struct hd_outside *o = self->outside; o; o = o->next) {
        for (size_t i = 0; i < o->count && count < 64; i++) {
            ask[count++] = o->set[i];
            hd_note("nothing but descriptor %d could go on: the program waited for it in real "
                    "time", o->set[i].fd);
        }
    }
    if (hd_kernel(SYS_ppoll, (long)ask, count, 0, 0, 0, 0) <= 0) return false;
    hd_changed(hd_pseudo(HD_KEY_FILES));
    return hd_rt->runnable_count > 0;
}

/* ---- streams --------------------------------------------------------------------------- */

bool hd_input_may_wait(struct hd_stream *stream) {
    return stream && stream->file->_fileno >= 0 && hd_files_may_wait(stream->file->_fileno);
}

void hd_input_wait(struct hd_stream *stream, void *pc) {
    if (!stream || stream->file->_IO_read_ptr < stream->file->_IO_read_end) return;
    if (!hd_input_may_wait(stream)) return;
    stream->within--; /* libc's lock is not held yet */
    while (hd_files_wait(stream->file->_fileno, POLLIN, pc) < 0) {
        /* a handler ran; a stream waits on */
    }
    stream->within++;
}

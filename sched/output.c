/* output.c - see output.h.
 *
 * All of it counts for what an outcome is; of long output the beginning and the end
 * are kept to be shown (the end is what a test framework says of its test), with a
 * line in between that says so. */
#define _GNU_SOURCE
#include "output.h"

#include "class.h"
#include "confined.h"
#include "descriptors.h"
#include "runtime.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SHOWN (1u << 16) /* bytes of one execution's output that are kept */
#define LAST 2048        /* and of its end, if there are more */

struct hd_output_state {
    int out, err;
    char text[SHOWN + 128 + LAST];
    char errors[LAST];  /* the beginning of what went to standard error */
    size_t error_count;
};

static int catch_one(int fd, const char *name) {
    int memory = (int)syscall(SYS_memfd_create, name, MFD_CLOEXEC);
    if (memory < 0) return -1;
    int high = fcntl(memory, F_DUPFD_CLOEXEC, HD_OWN_DESCRIPTORS);
    close(memory);
    if (high >= 0) dup2(high, fd);
    return high;
}

void hd_output_catch(void) {
    struct hd_output_state *self = hd_rt->output = hd_lasting(sizeof *hd_rt->output);
    if (!hd_rt->voice) hd_rt->voice = fcntl(2, F_DUPFD_CLOEXEC, HD_OWN_DESCRIPTORS);
    if (hd_rt->voice < 0) hd_rt->voice = 0;
    self->out = catch_one(1, "stdout");
    self->err = catch_one(2, "stderr");
}

void hd_output_apart(void) {
    struct hd_output_state *self = hd_rt->output;
    self->out = catch_one(1, "stdout");
    self->err = catch_one(2, "stderr");
}

static void clear(int memory) {
    if (ftruncate(memory, 0) < 0 || lseek(memory, 0, SEEK_SET) < 0) {
        hd_note("output of one execution could not be told from that of the next");
    }
}

void hd_output_drop(void) {
    struct hd_output_state *self = hd_rt->output;
    if (self->out >= 0) clear(self->out);
    if (self->err >= 0) clear(self->err);
}

/* Is that so, which is to be relied on? */
static void verify(const struct hd_output_state *self) {
    if (lseek(self->out, 0, SEEK_CUR) > 0 || lseek(self->err, 0, SEEK_CUR) > 0) {
        hd_give_up("an execution that called nothing wrote to standard output or error");
    }
    hd_rt->entered = false; /* this was not the program */
}

uint64_t hd_output_take(const char **text, size_t *length) {
    struct hd_output_state *self = hd_rt->output;
    uint64_t hash = 0xcbf29ce484222325UL;
    *text = self->text;
    *length = 0;
    self->error_count = 0;
    if (hd_confined_now()) { /* nothing was written */
        if (hd_rt->config.verify) verify(self);
        return hash;
    }
    if (self->err >= 0 && lseek(self->err, 0, SEEK_CUR) > 0) {
        ssize_t n = pread(self->err, self->errors, sizeof self->errors, 0);
        if (n > 0) self->error_count = (size_t)n;
        clear(self->err);
    }
    char piece[8192];
    off_t end = 0;
    for (;;) {
        ssize_t n = self->out >= 0 ? pread(self->out, piece, sizeof piece, end) : 0;
        if (n <= 0) break;
        hash = hd_mix_bytes(hash, piece, (size_t)n);
        if (*length < SHOWN) {
            size_t more = SHOWN - *length < (size_t)n ? SHOWN - *length : (size_t)n;
            memcpy(self->text + *length, piece, more);
            *length += more;
        }
        end += n;
        if ((size_t)n < sizeof piece) break;
    }
    if (end == 0) { /* but it may have been moved about in */
        if (self->out >= 0 && lseek(self->out, 0, SEEK_CUR) > 0) clear(self->out);
        return hash;
    }
    if ((size_t)end > SHOWN) {
        off_t left = end - (off_t)SHOWN, last = left < LAST ? left : LAST;
        *length += (size_t)snprintf(self->text + *length, 128, "\n[%ld bytes more, hash %016lx]\n",
                                    (long)(left - last), hash);
        ssize_t n = pread(self->out, self->text + *length, (size_t)last, end - last);
        if (n > 0) *length += (size_t)n;
        hd_note("an execution wrote more than %u bytes to standard output: so many are kept, all "
                "count for its outcome", SHOWN);
    }
    clear(self->out);
    return hash;
}

void hd_output_errors(void) {
    const struct hd_output_state *self = hd_rt->output;
    if (self->error_count == 0) return;
    if (write(hd_rt->voice ? hd_rt->voice : 2, self->errors, self->error_count) < 0) return;
}

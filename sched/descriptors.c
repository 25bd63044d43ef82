/* descriptors.c - the descriptors that were open before main, and back to them. */
#include "descriptors.h"

#include "pthread/kernel.h"
#include "runtime.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define OURS HD_OWN_DESCRIPTORS
#define COPIES 64 /* how many can be put back if the program closes or replaces them */

struct hd_descriptor_state {
    uint8_t open[OURS];
    uint32_t count;
    struct {
        int fd, copy, flags, status;
        long at; /* where in its file it stands; negative: it has no such place */
    } kept[COPIES];
};

/* Standard output and error are heddle's own files, which output.c empties, and results are
 * written by it. A terminal or /dev/null has no position to speak of. */
static long position(int fd) {
    struct stat about;
    if (fd == 1 || fd == 2 || fd == hd_rt->config.result_fd || fstat(fd, &about) < 0) return -1;
    if (!S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode) && !S_ISBLK(about.st_mode)) return -1;
    return lseek(fd, 0, SEEK_CUR);
}

static void keep(struct hd_descriptor_state *self, int fd, int flags) {
    if (self->count == COPIES) {
        hd_note("more than %d descriptors are open at the start: those above %d are not opened "
                "again when the program closes them", COPIES, fd - 1);
        return;
    }
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, OURS);
    if (copy < 0) return;
    self->kept[self->count].fd = fd;
    self->kept[self->count].flags = flags & FD_CLOEXEC ? O_CLOEXEC : 0;
    self->kept[self->count].status = fcntl(fd, F_GETFL);
    self->kept[self->count].at = position(fd);
    self->kept[self->count++].copy = copy;
}

void hd_descriptors_keep(void) {
    if (!hd_rt->descriptors) hd_rt->descriptors = hd_own(sizeof *hd_rt->descriptors);
    struct hd_descriptor_state *self = hd_rt->descriptors;
    for (uint32_t i = 0; i < self->count; i++) close(self->kept[i].copy);
    self->count = 0;
    for (int fd = 0; fd < OURS; fd++) {
        int flags = fcntl(fd, F_GETFD);
        self->open[fd] = flags >= 0;
        if (flags >= 0) keep(self, fd, flags);
    }
}

static void close_all(unsigned low, unsigned high) {
    hd_kernel(SYS_close_range, low, high, 0, 0, 0, 0);
}

/* All between two that are kept, and above heddle's. */
static void close_new(const struct hd_descriptor_state *self) {
    for (unsigned low = 0; low < OURS; low++) {
        if (self->open[low]) continue;
        unsigned high = low;
        while (high + 1 < OURS && !self->open[high + 1]) high++;
        close_all(low, high);
        low = high;
    }
    close_all(HD_OWN_DESCRIPTORS_END, ~0u);
}

void hd_descriptors_rewind(void) {
    const struct hd_descriptor_state *self = hd_rt->descriptors;
    for (uint32_t i = 0; i < self->count; i++) {
        if (self->kept[i].at < 0) continue;
        hd_kernel(SYS_lseek, self->kept[i].copy, self->kept[i].at, SEEK_SET, 0, 0, 0);
    }
}

void hd_descriptors_apart(void) {
    const struct hd_descriptor_state *self = hd_rt->descriptors;
    for (uint32_t i = 0; i < self->count; i++) {
        if (self->kept[i].at < 0) continue;
        char path[32];
        snprintf(path, sizeof path, "/proc/self/fd/%d", self->kept[i].fd);
        int own = open(path, self->kept[i].status & ~(O_CREAT | O_EXCL | O_TRUNC));
        if (own < 0) continue;
        lseek(own, self->kept[i].at, SEEK_SET);
        hd_kernel(SYS_dup3, own, self->kept[i].fd, self->kept[i].flags, 0, 0, 0);
        close(own);
    }
    hd_descriptors_keep();
}

/* Calls that heddle knows have said what they did; others have not (libc/known.h). */
void hd_descriptors_restore(bool known) {
    const struct hd_descriptor_state *self = hd_rt->descriptors;
    if (hd_rt->opened || hd_rt->replaced || !known) close_new(self);
    for (uint32_t i = 0; hd_rt->replaced && i < self->count; i++) {
        hd_kernel(SYS_dup3, self->kept[i].copy, self->kept[i].fd, self->kept[i].flags, 0, 0, 0);
        hd_kernel(SYS_fcntl, self->kept[i].fd, F_SETFL, self->kept[i].status, 0, 0, 0);
    }
    hd_descriptors_rewind(); /* always: what read from one may not have told */
    hd_rt->opened = hd_rt->replaced = false;
}

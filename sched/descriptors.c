/* descriptors.c - the descriptors that were open before main, and back to them. */
#include "descriptors.h"

#include "pthread/kernel.h"
#include "runtime.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define OURS HD_OWN_DESCRIPTORS
#define COPIES 64 /* how many can be put back if the program closes or replaces them */

struct hd_descriptor_state {
    uint8_t open[OURS];
    uint32_t count;
    struct { int fd, copy; } kept[COPIES];
};

void hd_descriptors_keep(void) {
    if (!hd_rt->descriptors) hd_rt->descriptors = hd_own(sizeof *hd_rt->descriptors);
    struct hd_descriptor_state *self = hd_rt->descriptors;
    for (uint32_t i = 0; i < self->count; i++) close(self->kept[i].copy);
    self->count = 0;
    for (int fd = 0; fd < OURS; fd++) {
        self->open[fd] = fcntl(fd, F_GETFD) >= 0;
        if (!self->open[fd] || self->count == COPIES) continue;
        int copy = fcntl(fd, F_DUPFD_CLOEXEC, OURS);
        if (copy < 0) continue;
        self->kept[self->count].fd = fd;
        self->kept[self->count++].copy = copy;
    }
}

void hd_descriptors_restore(void) {
    const struct hd_descriptor_state *self = hd_rt->descriptors;
    if (hd_rt->opened || hd_rt->replaced) {
        for (int low = 0; low < OURS; low++) { /* all between two that are kept */
            if (self->open[low]) continue;
            int high = low;
            while (high + 1 < OURS && !self->open[high + 1]) high++;
            hd_kernel(SYS_close_range, low, high, 0, 0, 0, 0);
            low = high;
        }
    }
    if (hd_rt->replaced) {
        for (uint32_t i = 0; i < self->count; i++) dup2(self->kept[i].copy, self->kept[i].fd);
    }
    hd_rt->opened = hd_rt->replaced = false;
}

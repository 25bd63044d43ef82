/* cc_memory.c - see cc_memory.h. */
#define _GNU_SOURCE /* memfd_create */
#include "harness/cc_memory.h"
#include "harness/cc_args.h"

#include <sys/mman.h>
#include <unistd.h>

const char *hd_cc_memory_file(const char *name, const void *bytes, size_t size) {
    int fd = memfd_create(name, 0); /* not closed on exec: that is the point */
    const char *at = bytes;
    if (fd < 0) return NULL;
    while (size > 0) {
        ssize_t done = write(fd, at, size);
        if (done <= 0) {
            close(fd);
            return NULL;
        }
        at += done;
        size -= (size_t)done;
    }
    char *path = hd_cc_format("/proc/self/fd/%d", fd);
    return access(path, R_OK) == 0 ? path : NULL;
}

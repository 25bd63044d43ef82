/* file_open.c - making, doubling and closing descriptors; the working directory. */
#include "files.h"
#include "hold.h"

#include "../descriptors.h"
#include "../limits.h"
#include "../pthread/block.h"
#include "../pthread/kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static int answer(long result) {
    if ((unsigned long)result < -4095UL) return (int)result;
    errno = (int)-result;
    return -1;
}

static int made(long fd) {
    if (fd >= 0) hd_files_new((int)fd, -1);
    return answer(fd);
}

static bool writes(int flags) {
    return (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC));
}

static int open_at(int folder, const char *path, int flags, unsigned mode, void *pc) {
    hd_cancel_point(pc);
    hd_files_open(pc);
    long fd = hd_kernel(SYS_openat, folder, (long)path, flags, mode, 0, 0);
    if (writes(flags)) hd_files_written((int)fd);
    return made(fd);
}

#define MODE                                                                             \
    unsigned mode = 0;                                                                   \
    if (flags & (O_CREAT | O_TMPFILE)) {                                                 \
        va_list args;                                                                    \
        va_start(args, flags);                                                           \
        mode = va_arg(args, unsigned);                                                   \
        va_end(args);                                                                    \
    }

HD_TAKEN int open(const char *path, int flags, ...) {
    MODE
    return open_at(AT_FDCWD, path, flags, mode, HD_PC());
}
HD_ALIAS(open64, open);
HD_ALIAS(__open, open);
HD_ALIAS(__open64, open);

HD_TAKEN int openat(int folder, const char *path, int flags, ...) {
    MODE
    return open_at(folder, path, flags, mode, HD_PC());
}
HD_ALIAS(openat64, openat);

extern int __open_2(const char *path, int flags);
HD_TAKEN int __open_2(const char *path, int flags) {
    return open_at(AT_FDCWD, path, flags, 0, HD_PC());
}
HD_ALIAS(__open64_2, __open_2);

HD_TAKEN int creat(const char *path, mode_t mode) {
    return open_at(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, mode, HD_PC());
}
HD_ALIAS(creat64, creat);

/* To the program, these are not open: one that closes all it might have inherited
 * must not take heddle's own along. */
static bool heddles(int fd) {
    return hd_inside() && fd >= HD_OWN_DESCRIPTORS && fd < HD_OWN_DESCRIPTORS_END;
}

HD_TAKEN int close(int fd) {
    if (heddles(fd)) return answer(-EBADF);
    hd_cancel_point(HD_PC());
    hd_files_close(fd, HD_PC());
    int result = answer(hd_kernel(SYS_close, fd, 0, 0, 0, 0, 0));
    hd_files_changed();
    return result;
}
HD_ALIAS(__close, close);

long hd_files_close_range(unsigned first, unsigned last, int flags, void *pc) {
    if (!hd_inside()) return hd_kernel(SYS_close_range, first, last, flags, 0, 0, 0);
    if (first > last) return -EINVAL;
    hd_files_close(0, pc);
    unsigned low = HD_OWN_DESCRIPTORS, high = HD_OWN_DESCRIPTORS_END;
    long result = 0;
    if (first < low) {
        result = hd_kernel(SYS_close_range, first, last < low ? last : low - 1, flags, 0, 0, 0);
    }
    if (result == 0 && last >= high) {
        result = hd_kernel(SYS_close_range, first > high ? first : high, last, flags, 0, 0, 0);
    }
    hd_files_changed();
    return result;
}

HD_TAKEN int close_range(unsigned first, unsigned last, int flags) {
    return answer(hd_files_close_range(first, last, flags, HD_PC()));
}
HD_TAKEN void closefrom(int low) {
    hd_files_close_range(low < 0 ? 0u : (unsigned)low, ~0u, 0, HD_PC());
}

HD_TAKEN int dup(int fd) {
    hd_files_open(HD_PC());
    long copy = hd_kernel(SYS_dup, fd, 0, 0, 0, 0, 0);
    if (copy >= 0) hd_files_new((int)copy, fd);
    return answer(copy);
}

static int dup_to(int fd, int to, int flags, void *pc) {
    if (heddles(to)) return answer(-EBADF);
    hd_files_close(to, pc);
    long copy = hd_kernel(SYS_dup3, fd, to, flags, 0, 0, 0);
    if (copy >= 0) hd_files_new((int)copy, fd);
    hd_files_changed();
    return answer(copy);
}

HD_TAKEN int dup2(int fd, int to) {
    if (fd == to) return answer(hd_kernel(SYS_fcntl, fd, F_GETFD, 0, 0, 0, 0)) < 0 ? -1 : to;
    return dup_to(fd, to, 0, HD_PC());
}
HD_TAKEN int dup3(int fd, int to, int flags) { return dup_to(fd, to, flags, HD_PC()); }

HD_TAKEN int fcntl(int fd, int command, ...) {
    va_list args;
    va_start(args, command);
    long argument = va_arg(args, long);
    va_end(args);
    bool copies = command == F_DUPFD || command == F_DUPFD_CLOEXEC;
    if (copies) hd_files_open(HD_PC());
    if (command == F_SETFL) hd_attributes_change();
    if ((command == F_SETFL || command == F_SETFD) && hd_inside()) hd_rt->replaced = true;
    if ((command == F_SETLKW || command == F_OFD_SETLKW) && hd_inside()) {
        hd_cancel_point(HD_PC());
        hd_note("fcntl(F_SETLKW) goes to the kernel; while it blocks, all threads stand still");
    }
    long result = hd_kernel(SYS_fcntl, fd, command, argument, 0, 0, 0);
    if (copies && result >= 0) hd_files_new((int)result, fd);
    return answer(result);
}
HD_ALIAS(fcntl64, fcntl);
HD_ALIAS(__fcntl, fcntl);

HD_TAKEN off_t lseek(int fd, off_t at, int whence) {
    hd_files_step(fd, false, HD_PC());
    long result = hd_kernel(SYS_lseek, fd, at, whence, 0, 0, 0);
    if ((unsigned long)result < -4095UL) return result;
    errno = (int)-result;
    return -1;
}
HD_ALIAS(lseek64, lseek);

static int tell_pair(int result, int *pair, const int made_[2], void *pc) {
    if (result < 0) return result;
    hd_files_pair(made_);
    hd_give(pair, made_, 2 * sizeof *pair, pc);
    return result;
}

HD_TAKEN int pipe2(int pair[2], int flags) {
    int aside[2];
    hd_files_open(HD_PC());
    return tell_pair(answer(hd_kernel(SYS_pipe2, (long)aside, flags, 0, 0, 0, 0)), pair, aside, HD_PC());
}
HD_TAKEN int pipe(int pair[2]) {
    int aside[2];
    hd_files_open(HD_PC());
    return tell_pair(answer(hd_kernel(SYS_pipe2, (long)aside, 0, 0, 0, 0, 0)), pair, aside, HD_PC());
}

HD_TAKEN int socketpair(int domain, int type, int protocol, int pair[2]) {
    int aside[2];
    hd_files_open(HD_PC());
    return tell_pair(answer(hd_kernel(SYS_socketpair, domain, type, protocol, (long)aside, 0, 0)), pair, aside, HD_PC());
}
HD_TAKEN int socket(int domain, int type, int protocol) {
    hd_files_open(HD_PC());
    return made(hd_kernel(SYS_socket, domain, type, protocol, 0, 0, 0));
}

HD_TAKEN int eventfd(unsigned count, int flags) {
    hd_files_open(HD_PC());
    int fd = made(hd_kernel(SYS_eventfd2, count, flags, 0, 0, 0, 0));
    if (fd >= 0) hd_files_pair((int[]){fd, fd});
    return fd;
}
HD_TAKEN int epoll_create1(int flags) {
    hd_files_open(HD_PC());
    return made(hd_kernel(SYS_epoll_create1, flags, 0, 0, 0, 0, 0));
}
HD_TAKEN int epoll_create(int size) {
    if (size <= 0) return answer(-EINVAL);
    hd_files_open(HD_PC());
    return made(hd_kernel(SYS_epoll_create1, 0, 0, 0, 0, 0, 0));
}

/* ---- the working directory -------------------------------------------------------------- */

HD_TAKEN int chdir(const char *path) {
    hd_files_open(HD_PC());
    if (hd_inside()) hd_rt->moved = true;
    return answer(hd_kernel(SYS_chdir, (long)path, 0, 0, 0, 0, 0));
}
HD_TAKEN int fchdir(int fd) {
    hd_files_open(HD_PC());
    if (hd_inside()) hd_rt->moved = true;
    return answer(hd_kernel(SYS_fchdir, fd, 0, 0, 0, 0, 0));
}

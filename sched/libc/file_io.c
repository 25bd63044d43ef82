/* file_io.c - read, write and their relatives. */
#include "files.h"
#include "hold.h"
#include "random.h"
#include "stream.h"

#include "../access.h"
#include "../pthread/block.h"
#include "../pthread/kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define ASIDE 1024
#define PIPE_PIECE 4096 /* what fits into a pipe of which poll says that it is not full */

static long answer(long result) {
    if ((unsigned long)result < -4095UL) return result;
    errno = (int)-result;
    return -1;
}

/* ---- reading -------------------------------------------------------------------------- */

/* Standing before the read, until it would not block. */
static int ready_to_read(int fd, void *pc) {
    if (!hd_files_may_wait(fd)) {
        hd_cancel_point(pc);
        hd_files_step(fd, false, pc);
        return 0;
    }
    return hd_files_wait(fd, POLLIN, pc);
}

/* What comes is put where it belongs in its turn; much at once is put there by the
 * kernel, and counted as written afterwards. */
static long fetch(int fd, char *to, size_t n, void *pc) {
    char aside[ASIDE];
    bool direct = n > sizeof aside || !hd_watched();
    long got = answer(hd_kernel(SYS_read, fd, (long)(direct ? to : aside), (long)n, 0, 0, 0));
    if (got > 0) hd_files_changed();
    if (got <= 0 || !hd_watched()) return got;
    if (direct) {
        hd_access_range((uintptr_t)to, (size_t)got, HD_WRITE, pc);
    } else {
        hd_store(to, aside, (size_t)got, pc);
    }
    return got;
}

static long stored(void *to, long n, void *pc) {
    if (n > 0 && hd_watched()) hd_access_range((uintptr_t)to, (size_t)n, HD_WRITE, pc);
    if (n > 0) hd_files_changed();
    return n;
}

HD_TAKEN ssize_t read(int fd, void *to, size_t n) {
    if (!hd_inside()) return answer(hd_kernel(SYS_read, fd, (long)to, (long)n, 0, 0, 0));
    if (ready_to_read(fd, HD_PC()) < 0) return -1;
    if (hd_files_is_random(fd)) {
        hd_random_fill(to, n, HD_PC());
        return (ssize_t)n;
    }
    return fetch(fd, to, n, HD_PC());
}
HD_ALIAS(__read, read);

HD_TAKEN ssize_t __read_chk(int fd, void *to, size_t n, size_t room) {
    if (n > room) hd_overflow("read", HD_PC());
    if (hd_inside() && ready_to_read(fd, HD_PC()) < 0) return -1;
    return fetch(fd, to, n, HD_PC());
}

HD_TAKEN ssize_t pread(int fd, void *to, size_t n, off_t at) {
    hd_cancel_point(HD_PC());
    hd_files_step(fd, false, HD_PC());
    return stored(to, answer(hd_kernel(SYS_pread64, fd, (long)to, (long)n, at, 0, 0)), HD_PC());
}
HD_ALIAS(pread64, pread);

HD_TAKEN ssize_t readv(int fd, const struct iovec *list, int count) {
    if (hd_inside() && ready_to_read(fd, HD_PC()) < 0) return -1;
    long n = answer(hd_kernel(SYS_readv, fd, (long)list, count, 0, 0, 0)), left = n;
    for (int i = 0; i < count && left > 0 && hd_watched(); i++) {
        long part = left < (long)list[i].iov_len ? left : (long)list[i].iov_len;
        WRITES(list[i].iov_base, (size_t)part);
        left -= part;
    }
    if (n > 0) hd_files_changed();
    return n;
}

/* ---- writing -------------------------------------------------------------------------- */

/* One piece of a blocking write that does not block. */
static long piece(int fd, const char *from, size_t n) {
    if (hd_files_is_socket(fd)) {
        return hd_kernel(SYS_sendto, fd, (long)from, (long)n, MSG_DONTWAIT, 0, 0);
    }
    if (n > PIPE_PIECE) n = PIPE_PIECE;
    return hd_kernel(SYS_write, fd, (long)from, (long)n, 0, 0, 0);
}

/* All of it, waiting as often as it takes, as a blocking write does. */
static long write_all(int fd, const char *from, size_t n, void *pc) {
    size_t done = 0;
    do {
        if (hd_files_wait(fd, POLLOUT, pc) < 0) return done ? (long)done : -1;
        long wrote = piece(fd, from + done, n - done);
        if (wrote == -EAGAIN && hd_files_is_socket(fd) &&
            !(hd_kernel(SYS_fcntl, fd, F_GETFL, 0, 0, 0, 0) & O_NONBLOCK)) {
            continue;
        }
        if (wrote < 0) return done ? (long)done : answer(wrote);
        done += (size_t)wrote;
        hd_files_changed();
        if (wrote == 0) break;
    } while (done < n);
    return (long)done;
}

static long put(int fd, const void *from, size_t n, void *pc) {
    const char *held = from;
    if (hd_watched()) held = hd_hold(from, n, pc);
    bool standard = fd == 1 || fd == 2; /* whoever reads them is not in this process */
    if (!standard && hd_files_may_wait(fd)) return write_all(fd, held, n, pc);
    hd_cancel_point(pc);
    hd_files_step(fd, true, pc);
    long wrote = answer(hd_kernel(SYS_write, fd, (long)held, (long)n, 0, 0, 0));
    if (standard && wrote > 0) {
        hd_rt->progress_step = hd_rt->steps;
        hd_record_sync(HD_OUTPUT, hd_stream_of(fd == 1 ? stdout : stderr)->primitive,
                       (uint32_t)wrote, 0, pc);
    }
    return wrote;
}

HD_TAKEN ssize_t write(int fd, const void *from, size_t n) {
    if (!hd_inside()) return answer(hd_kernel(SYS_write, fd, (long)from, (long)n, 0, 0, 0));
    return put(fd, from, n, HD_PC());
}
HD_ALIAS(__write, write);

HD_TAKEN ssize_t pwrite(int fd, const void *from, size_t n, off_t at) {
    hd_cancel_point(HD_PC());
    if (hd_watched()) READS(from, n);
    hd_files_step(fd, true, HD_PC());
    return answer(hd_kernel(SYS_pwrite64, fd, (long)from, (long)n, at, 0, 0));
}
HD_ALIAS(pwrite64, pwrite);

HD_TAKEN ssize_t writev(int fd, const struct iovec *list, int count) {
    if (!hd_inside()) return answer(hd_kernel(SYS_writev, fd, (long)list, count, 0, 0, 0));
    long done = 0;
    for (int i = 0; i < count; i++) {
        if (list[i].iov_len == 0) continue;
        long wrote = put(fd, list[i].iov_base, list[i].iov_len, HD_PC());
        if (wrote < 0) return done ? done : -1;
        done += wrote;
        if ((size_t)wrote < list[i].iov_len) break;
    }
    return done;
}

static int print(int fd, const char *format, va_list args, void *pc) {
    char aside[ASIDE], *text = aside;
    va_list again;
    va_copy(again, args);
    int n = HD_ENTER(vsnprintf)(aside, sizeof aside, format, args);
    if (n >= (int)sizeof aside) {
        text = hd_passing((size_t)n + 1);
        HD_ENTER(vsnprintf)(text, (size_t)n + 1, format, again);
    }
    va_end(again);
    if (n <= 0) return n;
    if (!hd_inside()) return (int)answer(hd_kernel(SYS_write, fd, (long)text, n, 0, 0, 0));
    return put(fd, text, (size_t)n, pc) < 0 ? -1 : n;
}

HD_TAKEN int vdprintf(int fd, const char *format, va_list args) {
    return print(fd, format, args, HD_PC());
}
HD_TAKEN int dprintf(int fd, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int n = print(fd, format, args, HD_PC());
    va_end(args);
    return n;
}
HD_TAKEN int __vdprintf_chk(int fd, int flag, const char *format, va_list args) {
    (void)flag;
    return print(fd, format, args, HD_PC());
}
HD_TAKEN int __dprintf_chk(int fd, int flag, const char *format, ...) {
    (void)flag;
    va_list args;
    va_start(args, format);
    int n = print(fd, format, args, HD_PC());
    va_end(args);
    return n;
}

/* ---- sockets --------------------------------------------------------------------------- */

/* Before a message: 0, or -1 with errno. */
static int ready_for_message(int fd, short events, int flags, void *pc) {
    if (!hd_inside()) return 0;
    if (!(flags & MSG_DONTWAIT)) return hd_files_wait(fd, events, pc);
    hd_cancel_point(pc);
    return 0;
}

#define RECEIVES(type, name, parameters, arguments)                                      \
    HD_TAKEN type name parameters {                                                      \
        if (ready_for_message(fd, POLLIN, flags, HD_PC()) < 0) return -1;                \
        type result = HD_REAL(name) arguments;                                           \
        if (result > 0) hd_files_changed();                                              \
        return result;                                                                   \
    }
#define SENDS(name, parameters, arguments)                                               \
    HD_TAKEN ssize_t name parameters {                                                   \
        if (ready_for_message(fd, POLLOUT, flags, HD_PC()) < 0) return -1;               \
        ssize_t result = HD_REAL(name) arguments;                                        \
        if (result >= 0) hd_files_changed();                                             \
        return result;                                                                   \
    }

HD_TAKEN ssize_t recv(int fd, void *to, size_t n, int flags) {
    if (ready_for_message(fd, POLLIN, flags, HD_PC()) < 0) return -1;
    return stored(to, HD_REAL(recv)(fd, to, n, flags), HD_PC());
}
HD_TAKEN ssize_t recvfrom(int fd, void *to, size_t n, int flags, struct sockaddr *from,
                          socklen_t *length) {
    if (ready_for_message(fd, POLLIN, flags, HD_PC()) < 0) return -1;
    return stored(to, HD_REAL(recvfrom)(fd, to, n, flags, from, length), HD_PC());
}
RECEIVES(ssize_t, recvmsg, (int fd, struct msghdr *message, int flags), (fd, message, flags))
SENDS(send, (int fd, const void *from, size_t n, int flags), (fd, from, n, flags))
SENDS(sendto,
      (int fd, const void *from, size_t n, int flags, const struct sockaddr *to, socklen_t length),
      (fd, from, n, flags, to, length))
SENDS(sendmsg, (int fd, const struct msghdr *message, int flags), (fd, message, flags))

static int accepted(int fd) {
    hd_rt->opened = true;
    hd_files_new(fd, -1);
    hd_files_changed();
    return fd;
}

HD_TAKEN int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags) {
    if (hd_inside() && hd_files_wait(fd, POLLIN, HD_PC()) < 0) return -1;
    return accepted(HD_REAL(accept4)(fd, address, length, flags));
}
HD_TAKEN int accept(int fd, struct sockaddr *address, socklen_t *length) {
    if (hd_inside() && hd_files_wait(fd, POLLIN, HD_PC()) < 0) return -1;
    return accepted(HD_REAL(accept)(fd, address, length));
}
HD_TAKEN int connect(int fd, const struct sockaddr *address, socklen_t length) {
    hd_cancel_point(HD_PC());
    hd_files_step(fd, true, HD_PC());
    int result = HD_REAL(connect)(fd, address, length);
    hd_files_changed();
    return result;
}
HD_TAKEN int shutdown(int fd, int how) {
    hd_files_step(fd, true, HD_PC());
    int result = HD_REAL(shutdown)(fd, how);
    hd_files_changed();
    return result;
}

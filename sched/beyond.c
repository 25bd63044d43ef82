/* beyond.c - see beyond.h. */
#include "beyond.h"

#include "pthread/kernel.h"
#include "runtime.h"

#include <errno.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define LEAVES "leaves a child process behind"

void hd_beyond(const char *what) {
    if (!hd_booted || !hd_rt->running || !hd_rt->explore || hd_rt->alone || hd_rt->beyond) return;
    hd_rt->beyond = what;
}

void hd_beyond_child(int process) {
    if (!hd_booted || !hd_rt->running || !hd_rt->explore || hd_rt->alone) return;
    if (hd_rt->child_count < HD_CHILDREN) hd_rt->children[hd_rt->child_count++] = process;
    else hd_beyond(LEAVES);
}

void hd_beyond_pipe(int by) {
    if (hd_booted && hd_rt->running && hd_rt->explore && !hd_rt->alone) hd_rt->pipes += by;
}

/* One that is left would be waited for by a later execution. heddle has children, too. */
static bool left_child(void) {
    bool left = hd_rt->pipes > 0;
    for (uint32_t i = 0; i < hd_rt->child_count && !left; i++) {
        left = hd_kernel(SYS_waitid, P_PID, hd_rt->children[i], 0, WEXITED | WNOHANG | WNOWAIT, 0,
                         0) != -ECHILD;
    }
    hd_rt->child_count = 0;
    hd_rt->pipes = 0;
    return left;
}

bool hd_went_beyond(void) {
    if (left_child() && !hd_rt->beyond) hd_rt->beyond = LEAVES;
    return hd_rt->beyond != NULL;
}

void hd_beyond_note(void) {
    hd_note("the program %s, which cannot be put back: executions see what earlier ones left; "
            "--isolate fork", hd_rt->beyond);
    hd_rt->incomplete = true;
    hd_rt->beyond = NULL;
}

/* ---- calls that go to the kernel ---------------------------------------------------------- */

#ifdef SYS_open
#define OLD_OPENS                                                                        \
    case SYS_open:                                                                       \
    case SYS_creat:                                                                      \
    case SYS_pipe:                                                                       \
    case SYS_eventfd:                                                                    \
    case SYS_signalfd:                                                                   \
    case SYS_epoll_create:                                                               \
    case SYS_inotify_init:
#define OLD_TELLS                                                                        \
    case SYS_stat:                                                                       \
    case SYS_lstat:                                                                      \
    case SYS_access:                                                                     \
    case SYS_readlink:                                                                   \
    case SYS_getdents:                                                                   \
    case SYS_getpgrp:                                                                    \
    case SYS_poll:                                                                       \
    case SYS_select:                                                                     \
    case SYS_epoll_wait:
#define OLD_COPIES case SYS_dup2:
#else
#define OLD_OPENS
#define OLD_TELLS
#define OLD_COPIES
#endif

void hd_beyond_call(long number) {
    switch (number) {
    OLD_TELLS
    case SYS_read: case SYS_pread64: case SYS_readv: case SYS_preadv:
    case SYS_write: case SYS_pwrite64: case SYS_writev: case SYS_pwritev: case SYS_lseek:
    case SYS_fstat: case SYS_newfstatat: case SYS_statx: case SYS_statfs: case SYS_fstatfs:
    case SYS_faccessat: case SYS_readlinkat: case SYS_getdents64: case SYS_getcwd:
    case SYS_fsync: case SYS_fdatasync: case SYS_sync: case SYS_ftruncate:
    case SYS_getpid: case SYS_getppid: case SYS_getuid: case SYS_geteuid: case SYS_getgid:
    case SYS_getegid: case SYS_getpgid: case SYS_getsid: case SYS_getgroups: case SYS_getcpu:
    case SYS_getpriority: case SYS_getrlimit: case SYS_getrusage: case SYS_getitimer: case SYS_times:
    case SYS_uname: case SYS_sysinfo: case SYS_clock_getres: case SYS_getrandom:
    case SYS_sched_getaffinity: case SYS_sched_getparam: case SYS_sched_getscheduler:
    case SYS_mincore: case SYS_msync: case SYS_rt_sigpending: case SYS_kill:
    case SYS_ppoll: case SYS_pselect6: case SYS_epoll_pwait: case SYS_epoll_ctl:
    case SYS_recvfrom: case SYS_recvmsg: case SYS_sendto: case SYS_sendmsg: case SYS_connect:
    case SYS_bind: case SYS_listen: case SYS_shutdown: case SYS_getsockname: case SYS_getpeername:
    case SYS_setsockopt: case SYS_getsockopt: case SYS_wait4: case SYS_waitid:
    case SYS_exit_group: return;
    OLD_OPENS
    case SYS_openat: case SYS_pipe2: case SYS_dup: case SYS_socket: case SYS_socketpair:
    case SYS_accept: case SYS_accept4: case SYS_eventfd2: case SYS_signalfd4:
    case SYS_epoll_create1: case SYS_timerfd_create: case SYS_inotify_init1:
    case SYS_memfd_create: hd_rt->opened = true; return;
    OLD_COPIES
    case SYS_dup3: case SYS_close: case SYS_fcntl: hd_rt->opened = hd_rt->replaced = true; return;
    case SYS_chdir: case SYS_fchdir: hd_rt->moved = true; return;
    default: hd_beyond("makes a system call (syscall) of which heddle does not know what it changes");
    }
}

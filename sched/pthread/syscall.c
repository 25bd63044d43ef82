/* syscall.c - syscall(2), for those who go around libc.
 *
 * What would go around heddle's model of threads and time is sent to the model;
 * what would make a thread that heddle does not control ends the run; the rest
 * goes to the kernel, with a note where it can block. heddle's own code calls
 * this too: nothing here may depend on the runtime being up. */
#include "block.h"
#include "futex.h"
#include "kernel.h"
#include "state.h"

#include "../beyond.h"
#include "../libc/files.h"
#include "../libc/memory.h"

#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

static long minus(int error) { return error ? -error : 0; }

static long signal_thread(long thread, int number, void *pc) {
    long id = thread - getpid();
    if (id < 0 || id >= (long)hd_rt->thread_count) return -ESRCH;
    (void)pc;
    return minus(pthread_kill((pthread_t)hd_rt->threads[id]->tp, number));
}

/* Calls that belong to the model. False: not one of them. */
static bool modelled(long number, const long *a, long *result, void *pc) {
    switch (number) {
    case SYS_futex:
        *result = hd_futex((uint32_t *)a[0], (int)a[1], (uint32_t)a[2], (uintptr_t)a[3],
                           (uint32_t *)a[4], (uint32_t)a[5], pc);
        return true;
    case SYS_sched_yield: *result = sched_yield(); return true;
    case SYS_gettid: *result = gettid(); return true;
    case SYS_tgkill: *result = signal_thread(a[1], (int)a[2], pc); return true;
    case SYS_tkill: *result = signal_thread(a[0], (int)a[1], pc); return true;
    case SYS_exit: hd_thread_unwind(NULL);
    case SYS_nanosleep:
        *result = nanosleep((const struct timespec *)a[0], (struct timespec *)a[1]) ? -errno : 0;
        return true;
    case SYS_clock_nanosleep:
        *result = minus(clock_nanosleep((clockid_t)a[0], (int)a[1], (const struct timespec *)a[2],
                                        (struct timespec *)a[3]));
        return true;
    case SYS_clock_gettime:
        *result = clock_gettime((clockid_t)a[0], (struct timespec *)a[1]) ? -errno : 0;
        return true;
    case SYS_gettimeofday: *result = gettimeofday((struct timeval *)a[0], (void *)a[1]); return true;
#ifdef SYS_time
    case SYS_time: *result = (long)time((time_t *)a[0]); return true;
#endif
    case SYS_sched_setaffinity: *result = 0; return true;
    case SYS_close_range:
        *result = hd_files_close_range((unsigned)a[0], (unsigned)a[1], (int)a[2], pc);
        return true;
    case SYS_mmap:
        *result = hd_memory_map((void *)a[0], (size_t)a[1], (int)a[2], (int)a[3], (int)a[4],
                                (off_t)a[5], pc);
        return true;
    case SYS_munmap: *result = hd_memory_unmap((uintptr_t)a[0], (size_t)a[1], pc); return true;
    case SYS_mremap:
        *result = hd_memory_remap((uintptr_t)a[0], (size_t)a[1], (size_t)a[2], (int)a[3],
                                  (uintptr_t)a[4], pc);
        return true;
    case SYS_mprotect:
        *result = hd_memory_protect((uintptr_t)a[0], (size_t)a[1], (int)a[2], pc);
        return true;
    case SYS_madvise:
        *result = hd_memory_advise((uintptr_t)a[0], (size_t)a[1], (int)a[2], pc);
        return true;
    default: return false;
    }
}

static void refuse(long number) {
    switch (number) {
    case SYS_clone:
#ifdef SYS_clone3
    case SYS_clone3:
#endif
        hd_give_up("syscall(SYS_clone) makes a thread or process that heddle cannot control");
#ifdef SYS_fork
    case SYS_fork:
    case SYS_vfork:
        hd_give_up("syscall(SYS_fork) makes a process that heddle cannot control; fork() is let "
                   "through");
#endif
    default: break;
    }
}

static void note_if_blocking(long number) {
    switch (number) {
    case SYS_ppoll:
    case SYS_pselect6:
    case SYS_epoll_pwait:
    case SYS_accept:
    case SYS_accept4:
    case SYS_connect:
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_wait4:
    case SYS_waitid:
    case SYS_flock:
#ifdef SYS_poll
    case SYS_poll:
    case SYS_select:
    case SYS_epoll_wait:
#endif
        hd_note("syscall %ld goes to the kernel; if it blocks, all threads stand still", number);
        break;
    default: break;
    }
}

HD_TAKEN long syscall(long number, ...) {
    long a[6], result;
    va_list args;
    va_start(args, number);
    for (int i = 0; i < 6; i++) a[i] = va_arg(args, long);
    va_end(args);
    if (!hd_inside() || hd_rt->ending) {
        result = hd_kernel(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    } else if (!modelled(number, a, &result, HD_PC())) {
        refuse(number);
        if (number == SYS_brk) hd_memory_extend(HD_PC());
        else hd_beyond_call(number);
        note_if_blocking(number);
        result = hd_kernel(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    }
    if ((unsigned long)result < -4095UL) return result;
    errno = (int)-result;
    return -1;
}

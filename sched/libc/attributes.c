/* attributes.c - what the kernel keeps of a process and of what it was given: priority,
 * scheduling policy, name, whether it may be dumped, flags of the standard streams.
 *
 * They outlive an execution, as limits do (limits.c). The kernel has the say in what the
 * program may set; before the first change all are written down. A process for every
 * execution keeps its own, except for the flags: those belong to the open file. */
#define _GNU_SOURCE
#include "../limits.h"

#include "../beyond.h"
#include "../pthread/block.h"
#include "../pthread/kernel.h"
#include "libc.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define STREAMS 3

struct hd_attribute_state {
    bool changed;
    int nice, policy, dumpable;
    struct sched_param param;
    char name[16];
    long flags[STREAMS]; /* negative: not open */
};

static long kernel(long number, long a, long b, long c) { return hd_kernel(number, a, b, c, 0, 0, 0); }

static int answer(long result) {
    if (result >= 0) return (int)result;
    errno = (int)-result;
    return -1;
}

void hd_attributes_keep(void) {
    if (!hd_rt->attributes) hd_rt->attributes = hd_own(sizeof *hd_rt->attributes);
    for (int fd = 0; fd < STREAMS; fd++) hd_rt->attributes->flags[fd] = kernel(SYS_fcntl, fd, F_GETFL, 0);
}

void hd_attributes_files(void) {
    const struct hd_attribute_state *self = hd_rt->attributes;
    for (int fd = 0; self && fd < STREAMS; fd++) {
        if (self->flags[fd] >= 0) kernel(SYS_fcntl, fd, F_SETFL, self->flags[fd]);
    }
}

void hd_attributes_restore(void) {
    struct hd_attribute_state *self = hd_rt->attributes;
    if (!self || !self->changed) return;
    self->changed = false;
    hd_attributes_files();
    kernel(SYS_prctl, PR_SET_NAME, (long)self->name, 0);
    kernel(SYS_prctl, PR_SET_DUMPABLE, self->dumpable, 0);
    if (kernel(SYS_sched_setscheduler, 0, self->policy, (long)&self->param) < 0 ||
        kernel(SYS_setpriority, PRIO_PROCESS, 0, self->nice) < 0) {
        hd_note("the program changes its priority, which cannot be put back: executions see what "
                "earlier ones left; --isolate fork");
        hd_rt->incomplete = true;
    }
}

void hd_attributes_change(void) {
    struct hd_attribute_state *self = hd_booted ? hd_rt->attributes : NULL;
    if (!self || !hd_rt->running || self->changed) return;
    self->changed = true;
    self->nice = 20 - (int)kernel(SYS_getpriority, PRIO_PROCESS, 0, 0);
    self->policy = (int)kernel(SYS_sched_getscheduler, 0, 0, 0);
    kernel(SYS_sched_getparam, 0, (long)&self->param, 0);
    self->dumpable = (int)kernel(SYS_prctl, PR_GET_DUMPABLE, 0, 0);
    kernel(SYS_prctl, PR_GET_NAME, (long)self->name, 0);
}

static void change(void *pc) {
    if (hd_inside()) hd_step(HD_NONE, hd_pseudo(HD_KEY_PROCESS), HD_MODE_WRITE, pc);
    hd_attributes_change();
}

HD_TAKEN int setpriority(__priority_which_t which, id_t who, int value) {
    change(HD_PC());
    return answer(kernel(SYS_setpriority, (long)which, who, value));
}

HD_TAKEN int getpriority(__priority_which_t which, id_t who) {
    if (hd_inside()) hd_step(HD_NONE, hd_pseudo(HD_KEY_PROCESS), HD_MODE_READ, HD_PC());
    long told = kernel(SYS_getpriority, (long)which, who, 0);
    return told < 0 ? answer(told) : 20 - (int)told;
}

HD_TAKEN int nice(int more) {
    change(HD_PC());
    int value = 20 - (int)kernel(SYS_getpriority, PRIO_PROCESS, 0, 0) + more;
    value = value < -20 ? -20 : value > 19 ? 19 : value;
    long rc = kernel(SYS_setpriority, PRIO_PROCESS, 0, value);
    return rc < 0 ? answer(rc == -EACCES ? -EPERM : rc) : value;
}

HD_TAKEN int sched_setscheduler(pid_t process, int policy, const struct sched_param *param) {
    change(HD_PC());
    return answer(kernel(SYS_sched_setscheduler, process, policy, (long)param));
}

HD_TAKEN int sched_setparam(pid_t process, const struct sched_param *param) {
    change(HD_PC());
    return answer(kernel(SYS_sched_setparam, process, (long)param, 0));
}

static bool only_tells(int what) {
    switch (what) {
    case PR_GET_NAME: case PR_GET_DUMPABLE: case PR_GET_PDEATHSIG: case PR_GET_KEEPCAPS:
    case PR_GET_TIMING: case PR_GET_SECUREBITS: case PR_GET_TIMERSLACK: case PR_GET_SECCOMP:
    case PR_GET_CHILD_SUBREAPER: case PR_GET_NO_NEW_PRIVS: case PR_GET_THP_DISABLE:
    case PR_CAPBSET_READ: case PR_GET_TSC: case PR_GET_TID_ADDRESS: return true;
    default: return false;
    }
}

HD_TAKEN int prctl(int what, ...) {
    va_list args;
    long given[4];
    va_start(args, what);
    for (int i = 0; i < 4; i++) given[i] = va_arg(args, long);
    va_end(args);
    if (what == PR_SET_NAME || what == PR_SET_DUMPABLE) change(HD_PC());
    else if (!only_tells(what)) hd_beyond("sets an attribute of its process by prctl");
    return answer(hd_kernel(SYS_prctl, what, given[0], given[1], given[2], given[3], 0));
}

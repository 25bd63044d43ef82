/* isolate.c - see isolate.h. */
#include "isolate.h"

#include "count.h"
#include "descriptors.h"
#include "libc/memory.h"
#include "limits.h"
#include "pthread/kernel.h"
#include "record.h"
#include "run.h"
#include "runtime.h"
#include "sched.h"
#include "watch.h"

#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CANNOT 3 /* hd_give_up: heddle itself has no way to go on */
#define BROKEN 134

int hd_fork(void) {
    pid_t (*real)(void) = (pid_t(*)(void))(uintptr_t)hd_real_named("fork");
    pid_t parent = (pid_t)hd_kernel(SYS_getpid, 0, 0, 0, 0, 0, 0);
    pid_t pid = real();
    if (pid < 0) hd_give_up("cannot start a process");
    if (pid == 0) {
        hd_kernel(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0, 0);
        if (hd_kernel(SYS_getppid, 0, 0, 0, 0, 0, 0) != parent) syscall(SYS_exit_group, CANNOT);
        hd_watch_start(); /* timers are not inherited */
        hd_stacks_copied();
    }
    return pid;
}

int hd_wait(int pid) {
    int status = 0;
    while (hd_kernel(SYS_wait4, pid, (long)&status, 0, 0, 0, 0) == -4 /* EINTR */) {
    }
    if (WIFEXITED(status) && (WEXITSTATUS(status) == CANNOT || WEXITSTATUS(status) == BROKEN)) {
        syscall(SYS_exit_group, WEXITSTATUS(status)); /* it has said why */
    }
    return status;
}

/* ---- a process for every execution ------------------------------------------------- */

void hd_isolate_begin(void) {
    hd_record_prepare();
    if (!hd_regions_share()) {
        hd_give_up("no room to share memory between processes (ulimit -v?): --isolate fork is not possible");
    }
}

/* It took its process along: the execution ends here. */
static void lost(int status) {
    struct hd_outcome *outcome = &hd_rt->outcome;
    outcome->failure = HD_FAIL_CRASH;
    outcome->thread = hd_rt->current ? hd_rt->current->id : 0;
    outcome->pc = hd_rt->current ? hd_rt->current->op.pc : NULL;
    if (WIFSIGNALED(status)) {
        outcome->status = 128 + WTERMSIG(status);
        snprintf(outcome->message, sizeof outcome->message, "the process was ended by signal %d",
                 WTERMSIG(status));
    } else {
        outcome->status = WEXITSTATUS(status);
        snprintf(outcome->message, sizeof outcome->message,
                 "the process ended with status %d, and not by exit", WEXITSTATUS(status));
    }
    hd_rt->quiet_depth = 0;
    hd_leave_segment();
    hd_rt->running = false;
    hd_become(NULL);
    if (hd_rt->recording) { /* nobody can say what happened in it */
        hd_record_lost();
        outcome->cut = true;
        hd_note("the trace of an execution that took its process down is lost: the search is not "
                "complete");
    }
    if (hd_rt->strategy->end_run) hd_rt->strategy->end_run();
}

/* While another process runs the execution, the timers of this one have nothing to look at:
 * what they would find is the other's. */
static void hold_timers(int how) {
    uint64_t set = 1UL << (SIGPROF - 1);
    hd_kernel(SYS_rt_sigprocmask, how, (long)&set, 0, sizeof set, 0, 0);
}

void hd_isolated_run(void) {
    hd_rt->came_back = false;
    hold_timers(SIG_BLOCK);
    int pid = hd_fork();
    if (pid == 0) {
        hold_timers(SIG_UNBLOCK);
        hd_execution_run();
        hd_rt->came_back = true;
        syscall(SYS_exit_group, 0);
    }
    int status = hd_wait(pid);
    if (!hd_rt->came_back) lost(status);
    hold_timers(SIG_UNBLOCK);
    hd_memory_shared_drop();
    hd_descriptors_rewind();
    hd_attributes_files();
}

/* ---- a process around all of them ---------------------------------------------------- */

struct hd_board *hd_contain(bool *again) {
    struct hd_board *board =
        hd_map_aside(HD_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1);
    if (!board) hd_give_up("out of memory");
    int pid = hd_fork();
    *again = false;
    if (pid == 0) return board;
    int status = hd_wait(pid);
    if (board->done) syscall(SYS_exit_group, 0);
    *again = true;
    if (board->beyond[0]) {
        hd_note("the program %s, which cannot be put back: from there on every execution has a "
                "process of its own", board->beyond);
    } else if (WIFSIGNALED(status)) {
        hd_note("an execution took its process down (signal %d): from there on every execution "
                "has a process of its own", WTERMSIG(status));
    } else {
        hd_note("an execution ended its process (status %d) without exit: from there on every "
                "execution has a process of its own", WEXITSTATUS(status));
    }
    return board;
}

void hd_contained_leave(struct hd_board *board) {
    snprintf(board->beyond, sizeof board->beyond, "%s", hd_rt->beyond);
    syscall(SYS_exit_group, 0);
    __builtin_unreachable();
}

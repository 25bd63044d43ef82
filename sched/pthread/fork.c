/* fork.c - new processes: let through by rule, or refused.
 *
 *   fork, vfork    the child is a plain process with one thread: heddle's
 *                  scheduler is off in it, nothing it does is recorded, and
 *                  the parent does not see it; meant for fork and exec
 *   clone          refused: it may make a thread behind heddle's back
 *   pthread_atfork stays glibc's: the real fork calls the handlers */
#define _GNU_SOURCE
#include "../beyond.h"
#include "../library.h"
#include "../memory_map.h"
#include "block.h"
#include "kernel.h"
#include "state.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NO_MEMORY 3 /* status of a child for whose copy there was no room */

extern pid_t __fork(void);
extern pid_t __vfork(void);

/* The child has nothing to say to who started heddle, and does not keep him waiting;
 * unless a test framework makes it, which runs in it the test that was asked for. */
static void leave(void) {
    if (!hd_regions_leave()) syscall(SYS_exit_group, NO_MEMORY);
    if (!hd_library_wanted()) {
        if (hd_rt->config.result_fd >= 0) hd_kernel(SYS_close, hd_rt->config.result_fd, 0, 0, 0, 0, 0);
        hd_rt->config.result_fd = -1;
    }
    hd_rt->running = false;
    hd_rt->recording = false;
}

/* Where the runtime's state is shared between processes the child takes a copy, and
 * nothing must change before it has: it closes its end of a pipe. */
static pid_t fork_apart(pid_t (*real)(void)) {
    int ends[2];
    char byte;
    if (hd_kernel(SYS_pipe2, (long)ends, O_CLOEXEC, 0, 0, 0, 0) < 0) {
        hd_give_up("the program calls fork, for which heddle needs two descriptors: there are none");
    }
    pid_t child = real();
    if (child == 0) leave();
    hd_kernel(SYS_close, ends[1], 0, 0, 0, 0, 0);
    while (child > 0 && hd_kernel(SYS_read, ends[0], (long)&byte, 1, 0, 0, 0) == -EINTR) {
    }
    hd_kernel(SYS_close, ends[0], 0, 0, 0, 0, 0);
    return child;
}

static pid_t plain_fork(void *pc) {
    pid_t (*real)(void) = (pid_t(*)(void))(uintptr_t)hd_real_named("fork");
    if (!hd_inside()) return real();
    hd_note("fork: the child runs as a plain process, outside of heddle's control");
    hd_step(HD_NONE, hd_pseudo(HD_KEY_PROCESS), HD_MODE_WRITE, pc);
    if (hd_rt->thread_count - hd_rt->finished_count > 1) {
        hd_note("fork while other threads run: the child sees what they have done so far, also "
                "between their operations, which is not all tried");
        hd_rt->incomplete = true;
    }
    pid_t child = fork_apart(real);
    if (child > 0) hd_beyond_child(child);
    return child;
}

HD_TAKEN pid_t fork(void) { return plain_fork(HD_PC()); }

/* The child of a real vfork would run on this thread's stack and change this
 * process's memory; a copy is what a correct program cannot tell from it. */
HD_TAKEN pid_t vfork(void) { return plain_fork(HD_PC()); }

HD_TAKEN int clone(int (*entry)(void *), void *stack, int flags, void *argument, ...) {
    (void)entry;
    (void)stack;
    (void)flags;
    (void)argument;
    hd_give_up("the program calls clone, which makes a thread or process that heddle cannot "
               "control; pthread_create, thrd_create and std::thread are taken over");
}

HD_ALIAS(__fork, fork);
HD_ALIAS(__vfork, vfork);
HD_ALIAS(__clone, clone);

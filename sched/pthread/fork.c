/* fork.c - new processes: let through by rule, or refused.
 *
 *   fork, vfork    the child is a plain process with one thread: heddle's
 *                  scheduler is off in it, nothing it does is recorded, and
 *                  the parent does not see it; meant for fork and exec
 *   clone          refused: it may make a thread behind heddle's back
 *   pthread_atfork stays glibc's: the real fork calls the handlers */
#include "block.h"
#include "state.h"

#include <sched.h>
#include <unistd.h>

extern pid_t __fork(void);
extern pid_t __vfork(void);

static pid_t plain_fork(void *pc) {
    pid_t (*real)(void) = (pid_t(*)(void))(uintptr_t)hd_real_named("fork");
    if (!hd_inside()) return real();
    hd_note("fork: the child runs as a plain process, outside of heddle's control");
    hd_step(HD_NONE, hd_pseudo(HD_KEY_PROCESS), HD_MODE_WRITE, pc);
    pid_t child = real();
    if (child == 0) {
        hd_rt->running = false;
        hd_rt->recording = false;
    }
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

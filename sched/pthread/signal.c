/* signal.c - signals sent from thread to thread.
 *
 * A signal that a thread of the program sends with pthread_kill, pthread_sigqueue,
 * raise, tgkill, or kill to its own process is kept here, not by the kernel. It
 * is delivered by calling its handler on the receiving thread before the operation
 * that the thread stands before, or at once if it is blocked in one. A search
 * comes to send it before each of the thread's operations, since all of them look
 * at its mailbox (thread->looks). Masks are each thread's own. Dispositions are the
 * kernel's (libc/action.c puts them back).
 *
 * Not modelled: signals from outside of the process and from timers; they
 * arrive on whatever thread runs. Faults are crash.c's. */
#include "../count.h"
#include "../libc/action.h"
#include "kernel.h"
#include "signal.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NEVER_BLOCKED (1UL << (SIGKILL - 1) | 1UL << (SIGSTOP - 1))

static bool is_fault(int number) {
    return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL ||
           number == SIGTRAP || number == SIGSYS || number == SIGABRT;
}

static bool ignored_by_default(int number) {
    return number == SIGCHLD || number == SIGURG || number == SIGWINCH || number == SIGCONT;
}

static void really_raise(int number) {
    hd_kernel(SYS_tgkill, getpid(), hd_kernel(SYS_gettid, 0, 0, 0, 0, 0, 0), number, 0, 0, 0);
}

static uint64_t unmasked(const struct hd_pthread *mine) {
    return (mine->pending | hd_pthread_state()->process_pending) & ~mine->mask;
}

static bool due(const struct hd_thread *self) {
    const struct hd_pthread *mine = self->pthread;
    return (mine && (mine->pending & ~mine->mask)) ||
           (self->cancel_async && hd_cancel_pending(self));
}

/* ---- delivery --------------------------------------------------------------- */

static void call_handler(struct hd_thread *self, int number, const struct sigaction *action,
                         siginfo_t *info) {
    struct hd_pthread *mine = hd_pthread_of(self);
    struct hd_handler handler = {mine->handlers, mine->mask};
    mine->handlers = &handler;
    mine->mask |= hd_signal_bits(&action->sa_mask);
    if (!(action->sa_flags & SA_NODEFER)) mine->mask |= hd_signal_bit(number);
    if (action->sa_flags & SA_RESETHAND) {
        struct sigaction standard = {.sa_handler = SIG_DFL};
        hd_action_changes(number);
        hd_rt->real.sigaction(number, &standard, NULL);
    }
    int saved = errno;
    if (action->sa_flags & SA_SIGINFO) action->sa_sigaction(number, info, NULL);
    else action->sa_handler(number);
    errno = saved;
    mine->handlers = handler.outer;
    mine->mask = handler.before;
}

void hd_signal_jumped(struct hd_thread *self, uintptr_t sp, bool with_mask) {
    struct hd_pthread *mine = self->pthread;
    if (!mine || !mine->handlers) return;
    uint64_t mask = mine->mask;
    while (mine->handlers && (uintptr_t)mine->handlers < sp) {
        mask = mine->handlers->before;
        mine->handlers = mine->handlers->outer;
    }
    if (with_mask) hd_signal_mask(self, mask);
}

static enum hd_handled deliver(struct hd_thread *self, int number, siginfo_t *info) {
    struct sigaction action;
    if (hd_rt->real.sigaction(number, NULL, &action) != 0) return HD_NOT_HANDLED;
    if (is_fault(number)) {
        really_raise(number);
        return HD_HANDLED;
    }
    if (action.sa_handler == SIG_IGN) return HD_NOT_HANDLED;
    if (action.sa_handler != SIG_DFL) {
        call_handler(self, number, &action, info);
        return action.sa_flags & SA_RESTART ? HD_HANDLED_RESTARTS : HD_HANDLED;
    }
    if (ignored_by_default(number)) return HD_NOT_HANDLED;
    char name[128];
    hd_rt->outcome.status = 128 + number;
    hd_failure(HD_FAIL_CRASH, self->op.pc, "signal %d, sent to thread %s, ends the process",
               number, hd_thread_name(self, name, sizeof name));
}

int hd_signal_take(struct hd_thread *self, uint64_t wanted, siginfo_t *info) {
    struct hd_pthread *mine = hd_pthread_of(self);
    struct hd_pthread_state *state = hd_pthread_state();
    uint64_t found = (mine->pending | state->process_pending) & wanted;
    if (!found) return 0;
    int number = __builtin_ctzl(found) + 1;
    if (info) *info = (siginfo_t){.si_signo = number, .si_code = SI_TKILL};
    if (mine->pending & hd_signal_bit(number)) {
        if (info && mine->info) *info = mine->info[number];
        mine->pending &= ~hd_signal_bit(number);
    } else {
        state->process_pending &= ~hd_signal_bit(number);
    }
    return number;
}

enum hd_handled hd_interrupt_run(struct hd_thread *self) {
    enum hd_handled handled = HD_NOT_HANDLED;
    hd_touch(&hd_pthread_of(self)->cancel, HD_MODE_READ);
    for (;;) {
        if (self->cancel_async && hd_cancel_pending(self)) hd_cancel_now();
        self->interrupted = false;
        siginfo_t info;
        int number = hd_signal_take(self, ~hd_pthread_of(self)->mask, &info);
        if (!number) break;
        enum hd_handled this_one = deliver(self, number, &info);
        if (this_one > handled) handled = this_one;
    }
    self->interrupted = due(self);
    return handled;
}

/* ---- sending ---------------------------------------------------------------- */

static void keep(struct hd_thread *target, int number, const siginfo_t *info) {
    struct hd_pthread *theirs = hd_pthread_of(target);
    theirs->pending |= hd_signal_bit(number);
    if (info && !theirs->info) theirs->info = hd_passing(65 * sizeof *theirs->info);
    if (theirs->info) {
        theirs->info[number] =
            info ? *info : (siginfo_t){.si_signo = number, .si_code = SI_TKILL};
    }
}

/* Also when the other one has ended: it might have come before that, at any of its
 * operations (thread->looks). */
static void announce(void) {
    hd_hidden_known(&hd_rt->signals);
    hd_note("signals between threads: handlers run between operations, not at every "
            "instruction");
    hd_rt->incomplete = true;
}

static void arrive(struct hd_thread *target, int number, const siginfo_t *info) {
    keep(target, number, info);
    target->interrupted = due(target);
    if (target == hd_rt->current) {
        if (target->interrupted) hd_interrupt_run(target);
    } else {
        hd_called_away(target);
    }
}

int hd_signal_send(struct hd_thread *target, int number, const siginfo_t *info, void *pc) {
    if (number < 0 || number > 64) return EINVAL;
    if (number > 0 && target != hd_rt->current) announce();
    hd_step(HD_NONE, &hd_pthread_of(target)->cancel, HD_MODE_WRITE, pc);
    if (number == 0) hd_touch(&target->end, HD_MODE_READ);
    if (target->state == HD_THREAD_FINISHED) return target->joined || target->detached ? ESRCH : 0;
    if (number > 0) arrive(target, number, info);
    return 0;
}

static int send_to_handle(pthread_t handle, int number, const siginfo_t *info, void *pc) {
    if (!hd_inside()) {
        if (number > 0) really_raise(number);
        return 0;
    }
    struct hd_thread *target = hd_handle_find(handle);
    if (!target) return ESRCH;
    return hd_signal_send(target, number, info, pc);
}

HD_TAKEN int pthread_kill(pthread_t handle, int number) {
    return send_to_handle(handle, number, NULL, HD_PC());
}

HD_TAKEN int pthread_sigqueue(pthread_t handle, int number, const union sigval value) {
    siginfo_t info = {.si_signo = number, .si_code = SI_QUEUE};
    info.si_pid = getpid();
    info.si_value = value;
    return send_to_handle(handle, number, &info, HD_PC());
}

HD_TAKEN int raise(int number) {
    int rc = send_to_handle(pthread_self(), number, NULL, HD_PC());
    if (rc == 0) return 0;
    errno = rc;
    return -1;
}

/* Could others have it? Who has been joined cannot. */
static bool has_others(void) {
    for (uint32_t i = 0; i < hd_rt->thread_count; i++) {
        const struct hd_thread *thread = hd_rt->threads[i];
        if (thread != hd_rt->current && !thread->joined) return true;
    }
    return false;
}

static bool takes(struct hd_thread *thread, uint64_t bit) {
    const struct hd_pthread *theirs = hd_pthread_of(thread);
    return thread->state != HD_THREAD_FINISHED && ((theirs->wanted & bit) || !(theirs->mask & bit));
}

/* To the process: one of those who wait for it or do not block it, the caller before
 * others; if there is none, whoever asks later. Which ones there are depends on how far
 * everybody has come. */
static int send_to_process(int number, void *pc) {
    struct hd_thread *self = hd_rt->current;
    if (number < 0 || number > 64) return EINVAL;
    uint64_t bit = number > 0 ? hd_signal_bit(number) : 0;
    bool others = bit && has_others();
    if (others) announce();
    hd_step(HD_NONE, hd_pseudo(HD_KEY_PROCESS), HD_MODE_WRITE, pc);
    if (!bit) return 0;
    int count = takes(self, bit);
    for (uint32_t i = 0; others && i < hd_rt->thread_count; i++) {
        struct hd_thread *thread = hd_rt->threads[i];
        if (thread == self || thread->joined) continue;
        hd_touch(&hd_pthread_of(thread)->cancel, HD_MODE_WRITE);
        count += takes(thread, bit);
    }
    if (count == 0) {
        hd_pthread_state()->process_pending |= bit;
        return 0;
    }
    int nth = count > 1 ? hd_choose(count) : 0;
    struct hd_thread *target = takes(self, bit) && nth-- == 0 ? self : NULL;
    for (uint32_t i = 0; !target; i++) {
        struct hd_thread *thread = hd_rt->threads[i];
        if (thread != self && takes(thread, bit) && nth-- == 0) target = thread;
    }
    arrive(target, number, NULL);
    return 0;
}

HD_TAKEN int kill(pid_t process, int number) {
    if (!hd_inside() || (process != getpid() && process != 0) || number == SIGKILL ||
        number == SIGSTOP) {
        long rc = hd_kernel(SYS_kill, process, number, 0, 0, 0, 0);
        if (rc == 0) return 0;
        errno = (int)-rc;
        return -1;
    }
    int rc = send_to_process(number, HD_PC());
    if (rc == 0) return 0;
    errno = rc;
    return -1;
}

/* ---- masks ------------------------------------------------------------------ */

void hd_signal_mask(struct hd_thread *self, uint64_t mask) {
    struct hd_pthread *mine = hd_pthread_of(self);
    mine->mask = mask & ~NEVER_BLOCKED;
    if (unmasked(mine)) hd_interrupt_run(self);
    self->interrupted = due(self);
}

uint64_t hd_signal_mask_meanwhile(struct hd_thread *self, uint64_t mask) {
    struct hd_pthread *mine = hd_pthread_of(self);
    uint64_t before = mine->mask;
    mine->mask = mask & ~NEVER_BLOCKED;
    self->interrupted = unmasked(mine) || due(self);
    return before;
}

HD_TAKEN int pthread_sigmask(int how, const sigset_t *set, sigset_t *old) {
    if (!hd_inside()) {
        return (int)-hd_kernel(SYS_rt_sigprocmask, how, (long)set, (long)old, 8, 0, 0);
    }
    struct hd_thread *self = hd_rt->current;
    uint64_t mask = hd_pthread_of(self)->mask;
    uint64_t bits = set ? hd_signal_bits(set) : 0;
    if (set && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK) return EINVAL;
    if (old) hd_signal_set(old, mask);
    if (!set) return 0;
    if (hd_unlikely(hd_rt->signals)) { /* what comes before that, or after it */
        hd_step(HD_NONE, &hd_pthread_of(self)->cancel, HD_MODE_READ, HD_PC());
        mask = hd_pthread_of(self)->mask;
    } else {
        hd_count(HD_PC());
    }
    hd_signal_mask(self, how == SIG_BLOCK     ? mask | bits
                         : how == SIG_UNBLOCK ? mask & ~bits
                                              : bits);
    return 0;
}

HD_TAKEN int sigprocmask(int how, const sigset_t *set, sigset_t *old) {
    int rc = pthread_sigmask(how, set, old);
    if (rc == 0) return 0;
    errno = rc;
    return -1;
}

HD_TAKEN int sigpending(sigset_t *set) {
    if (!hd_inside()) return (int)hd_kernel(SYS_rt_sigpending, (long)set, 8, 0, 0, 0, 0);
    struct hd_pthread *mine = hd_pthread_of(hd_rt->current);
    hd_step(HD_NONE, &mine->cancel, HD_MODE_READ, HD_PC());
    hd_signal_set(set, (mine->pending | hd_pthread_state()->process_pending) & mine->mask);
    return 0;
}

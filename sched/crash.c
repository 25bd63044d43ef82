/* crash.c - real crashes of the program, contained.
 *
 * A fault ends the execution, not the process: the handler runs on a stack of
 * its own and goes to the root context from there. A fault just below a
 * thread's stack is an overflow and is told as such. */
#include "module.h"
#include "report.h"
#include "runtime.h"
#include "watch.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

#define ALTSTACK 65536

void *hd_context_pc(const void *context_) {
    const ucontext_t *context = context_;
#if defined(__x86_64__)
    return (void *)(context->uc_mcontext.gregs[REG_RIP] + 1);
#elif defined(__aarch64__)
    return (void *)(context->uc_mcontext.pc + 1);
#else
    (void)context;
    return NULL;
#endif
}

static const char *signal_word(int number) {
    switch (number) {
    case SIGSEGV: return "invalid memory access (SIGSEGV)";
    case SIGBUS: return "bus error (SIGBUS)";
    case SIGFPE: return "arithmetic error (SIGFPE)";
    case SIGILL: return "illegal instruction (SIGILL)";
    case SIGTRAP: return "trap (SIGTRAP)";
    case SIGSYS: return "bad system call (SIGSYS)";
    case SIGABRT: return "abort (SIGABRT)";
    default: return "signal";
    }
}

static struct hd_thread *whose_overflow(uintptr_t address) {
    for (uint32_t i = 0; i < hd_rt->thread_count; i++) {
        struct hd_thread *thread = hd_rt->threads[i];
        uintptr_t low = (uintptr_t)thread->stack_low;
        if (address < low && address + (1UL << 20) >= low) return thread;
    }
    return NULL;
}

extern const char __start_hd_code[], __stop_hd_code[]; /* by the linker: the runtime's */

static bool in_program(const void *pc) {
    bool own = (const char *)pc > __start_hd_code && (const char *)pc <= __stop_hd_code;
    return hd_module_of((uintptr_t)pc) == 0 && !own;
}

/* The fault may be inside of libc or of the runtime: then where the innermost function of
 * the program called them. Its return address lies just below its frame, if nothing was
 * put on the stack in between; otherwise the function has to do. */
void *hd_program_pc(void *pc) {
    const struct hd_thread *self = hd_rt->current;
    if (in_program(pc) || !self || self->depth == 0 || self->depth > self->calls_room) return pc;
    const struct hd_call *call = &self->calls[self->depth - 1];
#if defined(__x86_64__)
    uintptr_t at = hd_call_bottom(call) - sizeof(void *);
    if (at - (uintptr_t)self->stack_low < self->stack_size && in_program(*(void **)at)) {
        return *(void **)at;
    }
#endif
    return call->pc;
}

static void crashed(int number, siginfo_t *info, void *context) {
    void *pc = hd_program_pc(hd_context_pc(context));
    if (!hd_rt->running || !hd_rt->current) {
        char where[300];
        hd_say("%s outside of an execution at %s", signal_word(number),
               hd_describe_pc(hd_context_pc(context), where, sizeof where));
        hd_rt->real.sigaction(number, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
        raise(number);
        return;
    }
    hd_rt->outcome.status = 128 + number;
    hd_rt->quiet_depth = 0;
    struct hd_thread *over =
        number == SIGSEGV || number == SIGBUS ? whose_overflow((uintptr_t)info->si_addr) : NULL;
    if (over) {
        char name[128];
        hd_failure(HD_FAIL_CRASH, pc,
                   "stack overflow in thread %s (%lu kB; pthread_attr_setstacksize or ulimit -s "
                   "give it more)",
                   hd_thread_name(over, name, sizeof name), (unsigned long)over->stack_size / 1024);
    }
    if (number == SIGSEGV || number == SIGBUS) {
        char what[300];
        uintptr_t address = (uintptr_t)info->si_addr;
        if (address < 65536) {
            hd_failure(HD_FAIL_CRASH, pc, "null pointer dereference, offset %lu (SIGSEGV)",
                       (unsigned long)address);
        }
        hd_describe_address(address, what, sizeof what);
        if (strcmp(what, "[?]") == 0) {
            hd_failure(HD_FAIL_CRASH, pc, "%s", signal_word(number));
        }
        hd_failure(HD_FAIL_CRASH, pc, "%s: %s", signal_word(number), what);
    }
    hd_failure(HD_FAIL_CRASH, pc, "%s", signal_word(number));
}

void hd_crash_boot(void) {
    stack_t stack = {.ss_sp = hd_lasting(ALTSTACK), .ss_size = ALTSTACK};
    sigaltstack(&stack, NULL);
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT};
    struct sigaction action = {.sa_sigaction = crashed,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) {
        hd_rt->real.sigaction(fatal[i], &action, NULL);
    }
    hd_watch_boot();
}

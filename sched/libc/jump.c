/* jump.c - longjmp and its relatives.
 *
 * A jump within a thread's own stack is libc's business. What is added: blocks
 * that it leaves are told so; a jump into another thread's stack, or to a
 * function that has returned, is misuse. glibc's checked form cannot be used: it
 * takes every stack but the process's own for an error. */
#include "libc.h"

#include "../annotate.h"
#include "../record.h"
#include "../pthread/signal.h"
#include "../shadow.h"
#include "jump.h"

#include <setjmp.h>

/* Where the stack pointer will be; 0: cannot tell. */
static uintptr_t target(const struct __jmp_buf_tag *env) {
#if defined(__x86_64__)
    uintptr_t sp = (uintptr_t)env->__jmpbuf[6], guard;
    __asm__("rorq $17, %0" : "+r"(sp));
    __asm__("movq %%fs:0x30, %0" : "=r"(guard));
    return sp ^ guard;
#else
    (void)env;
    return 0;
#endif
}

static bool in_stack(const struct hd_thread *thread, uintptr_t sp) {
    return sp - (uintptr_t)thread->stack_low <= thread->stack_size;
}

/* The stack pointer of the function that called. */
#define CALLER ((uintptr_t)__builtin_frame_address(0) + 2 * sizeof(void *))

/* Calls that it goes past are over. */
static void leave_calls(struct hd_thread *self, uintptr_t there) {
    bool divides = false;
    while (self->depth > 0 && hd_call_bottom(&self->calls[self->depth - 1]) < there) {
        divides = divides || self->calls[self->depth - 1].divides;
        hd_call_left(self);
    }
    if (divides) hd_stamp();
}

static void look(struct __jmp_buf_tag *env, int value, uintptr_t here, void *pc) {
    struct hd_thread *self = hd_rt->current;
    uintptr_t there = target(env);
    if (!there || !in_stack(self, here)) return; /* a stack of the program's own making */
    if (in_stack(self, there)) {
        if (there < here) {
            hd_failure(HD_FAIL_MISUSE, pc, "longjmp to a function that has returned");
        }
        hd_annotate_leave(self, there, pc);
        leave_calls(self, there);
        hd_signal_jumped(self, there, env->__mask_was_saved);
        return;
    }
    uint32_t home = (uint32_t)((there - HD_AT_STACKS) / HD_STACK_STRIDE);
    for (uint32_t i = 0; i < hd_rt->thread_count; i++) {
        if (there < HD_AT_STACKS || hd_rt->threads[i]->home != home) continue;
        if (hd_jump_out) hd_jump_out(hd_rt->threads[i], env, value, pc);
        char name[128];
        hd_failure(HD_FAIL_MISUSE, pc, "longjmp to the stack of another thread, %s",
                   hd_thread_name(hd_rt->threads[i], name, sizeof name));
    }
}

HD_TAKEN void longjmp(struct __jmp_buf_tag env[1], int value) {
    if (hd_inside()) look(env, value, CALLER, HD_PC());
    HD_REAL(longjmp)(env, value);
    __builtin_unreachable();
}

HD_TAKEN void siglongjmp(struct __jmp_buf_tag env[1], int value) {
    if (hd_inside()) look(env, value, CALLER, HD_PC());
    HD_REAL(siglongjmp)(env, value);
    __builtin_unreachable();
}

HD_ALIAS(_longjmp, longjmp);

void __longjmp_chk(struct __jmp_buf_tag env[1], int value) __attribute__((noreturn));
HD_TAKEN void __longjmp_chk(struct __jmp_buf_tag env[1], int value) {
    if (hd_inside()) look(env, value, CALLER, HD_PC());
    HD_REAL(siglongjmp)(env, value);
    __builtin_unreachable();
}

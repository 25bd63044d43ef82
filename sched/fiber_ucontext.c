/* fiber_ucontext.c - the portable backend, for processors without a file of
 * their own. Slow (swapcontext makes system calls), otherwise the same.
 *
 * A resting fiber's context lies on its own stack, at its top; `sp` points to
 * it, so the seam stays one pointer wide. */
#include "fiber.h"

#include <stdint.h>
#include <string.h>
#include <ucontext.h>

static void begin(unsigned entry_high, unsigned entry_low, unsigned argument_high,
                  unsigned argument_low) {
    void (*entry)(void *) =
        (void (*)(void *))(uintptr_t)((uint64_t)entry_high << 32 | entry_low);
    entry((void *)(uintptr_t)((uint64_t)argument_high << 32 | argument_low));
    __builtin_trap();
}

void hd_fiber_make(struct hd_fiber *fiber, void *stack_low, size_t size,
                   void (*entry)(void *), void *argument) {
    uintptr_t top = ((uintptr_t)stack_low + size) & ~(uintptr_t)63;
    ucontext_t *context = (ucontext_t *)(top - sizeof(ucontext_t) - 64);
    context = (ucontext_t *)((uintptr_t)context & ~(uintptr_t)63);
    getcontext(context);
    context->uc_stack.ss_sp = stack_low;
    context->uc_stack.ss_size = (size_t)((char *)context - (char *)stack_low);
    context->uc_link = NULL;
    uint64_t e = (uintptr_t)entry, a = (uintptr_t)argument;
    makecontext(context, (void (*)(void))begin, 4, (unsigned)(e >> 32), (unsigned)e,
                (unsigned)(a >> 32), (unsigned)a);
    fiber->sp = context;
}

void hd_fiber_switch(struct hd_fiber *from, struct hd_fiber *to) {
    ucontext_t here;
    from->sp = &here;
    swapcontext(&here, to->sp);
}

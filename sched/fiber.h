/* fiber.h - a stack that can be left and come back to.
 *
 * Two functions and an idea: the whole state of a fiber that is not running is
 * on its own stack, so a fiber is its stack pointer. What a switch keeps:
 * callee-saved registers and the floating-point control words (MXCSR and x87:
 * a thread may change its rounding mode). What it does not keep: the signal
 * mask, which is one for the process.
 *
 * The thread pointer is not part of it; tls.h moves that.
 *
 * A backend is a file: fiber_x86_64.S, fiber_aarch64.S, fiber_ucontext.c. */
#ifndef HD_FIBER_H
#define HD_FIBER_H

#include <stddef.h>

struct hd_fiber {
    void *sp; /* meaningful while the fiber is not running */
};

/* Prepare a fiber that begins with entry(argument) on the given stack. Entry
 * must not return. */
void hd_fiber_make(struct hd_fiber *fiber, void *stack_low, size_t size,
                   void (*entry)(void *), void *argument);

/* Leave `from`, go on in `to`. Returns when somebody switches back to `from`. */
void hd_fiber_switch(struct hd_fiber *from, struct hd_fiber *to);

#endif

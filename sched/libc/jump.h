/* jump.h - jumps out of a thread, for those who know what to do with them. */
#ifndef HD_JUMP_H
#define HD_JUMP_H

#include "../thread.h"

struct __jmp_buf_tag;

/* A longjmp from the current thread into the stack of another. Returns if it is
 * not its business; the jump is then misuse. */
void hd_jump_out(struct hd_thread *into, struct __jmp_buf_tag *env, int value, void *pc)
    __attribute__((weak));

#endif

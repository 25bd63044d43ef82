/* stack.h - a lock-free stack of slots: who pops a slot owns it until it is pushed.
 *
 * Made for handing out the elements of a fixed array: buffers, descriptors. A
 * slot is a small number; the links between slots are in the stack, not in the
 * elements. No operation ever waits.
 *
 * The head holds a slot and a tag in one atomic word, and every exchange counts
 * the tag up. A thread that has read head and link and comes back late finds
 * another tag, even if the same slot is on top again: between its two reads and
 * its exchange the slot may have been popped and pushed back with another link
 * below it (the ABA problem). The tag has 32 bits; it would have to go all the
 * way round while one thread stands between load and exchange. */
#ifndef STACK_H
#define STACK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STACK_MOST = 64 };

struct stack {
    _Atomic uint64_t head; /* tag << 32 | slot + 1; 0 in the low half: empty */
    _Atomic uint32_t next[STACK_MOST]; /* slot + 1 of what is below */
};

/* Empty, or holding slots 0 to count - 1 with 0 on top. */
void stack_init(struct stack *s, size_t count);

void stack_push(struct stack *s, uint32_t slot);
/* False: empty. */
bool stack_pop(struct stack *s, uint32_t *slot);

/* Several at once. pop_some returns how many it got. */
void stack_push_some(struct stack *s, const uint32_t *slots, size_t count);
size_t stack_pop_some(struct stack *s, uint32_t *slots, size_t most);

/* Only when nobody else uses the stack. */
size_t stack_count(struct stack *s);
bool stack_is_sound(struct stack *s);

#endif

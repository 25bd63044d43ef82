/* frame.h - whose local is it? Calls as the trace needs them for names. */
#ifndef HD_FRAME_H
#define HD_FRAME_H

#include <stddef.h>
#include <stdint.h>

struct hd_thread;

/* The thread in whose stack this address lies; NULL: in none. */
struct hd_thread *hd_frame_owner(uintptr_t address);
/* Something on that stack is not its owner's alone: the trace is told of the call
 * that has it. */
void hd_frame_tell(const struct hd_thread *owner, uintptr_t address);

/* hd_describe_address, with the call that has this piece of a stack: the heddle command
 * makes the name of a local of it. */
char *hd_frame_describe(uintptr_t address, char *buffer, size_t size);

void hd_frame_prepare(void); /* once in a process */
void hd_frame_begin(void);   /* of a trace */

#endif

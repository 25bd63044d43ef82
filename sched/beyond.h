/* beyond.h - what an execution does to its process that nobody can undo.
 *
 * Memory, descriptors, signals and the like are put back. A session that was left, a
 * user or a root directory that was given up, memory of before main that was unmapped
 * are not: from such an execution on, each has a process of its own (isolate.h), which
 * is slower and just as true. Where that cannot be, it is said. */
#ifndef HD_BEYOND_H
#define HD_BEYOND_H

#include <stdbool.h>

/* The current execution does `what` (a constant: "leaves its session"). */
void hd_beyond(const char *what);
/* It made this process, and must wait for it; or a pipe to one more (or to one fewer). */
void hd_beyond_child(int process);
void hd_beyond_pipe(int by);
/* It makes this system call itself, past libc: what must be undone? */
void hd_beyond_call(long number);
/* It is over; has it? Then the process is of no use for others. */
bool hd_went_beyond(void);
/* Nothing can be done about that: say so. */
void hd_beyond_note(void);

#endif

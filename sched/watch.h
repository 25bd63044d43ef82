/* watch.h - executions that stand still.
 *
 * Two timers look whether any event has happened since they last looked. One
 * counts processor time: a loop without events ends its execution as a timeout.
 * The other counts real time: a library that waits by a system call of its own
 * (libgomp, say) stops every thread, because they all live on one, and nobody
 * would ever wake it; heddle then says so and gives up. A wait that goes through
 * libc may be for the outside (a child process, a lock on a file): it is told on
 * standard error, and goes on. */
#ifndef HD_WATCH_H
#define HD_WATCH_H

void hd_watch_boot(void);
void hd_watch_start(void); /* again in a fork, which leaves timers behind */

/* crash.c: where a signal came upon the program, and its innermost function. */
void *hd_context_pc(const void *context);
void *hd_program_pc(void *pc);

#endif

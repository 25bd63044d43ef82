/* circle.h - a thread that goes round in a loop without any operation, for ever.
 *
 * while (!done) of plain data, where nobody is left who could write it: no schedule
 * stops that, and the watchdog sees events. A thread that has run for very long is
 * therefore watched for a few accesses: does it come back to one with the same registers
 * and the same stack, having written nothing else? If that holds for everybody who can
 * run, nothing will ever change (spin.h has the same for operations, where it is no
 * failure as long as others run).
 *
 * That is looked at twice, a long time apart: code that is not instrumented may count
 * the laps. */
#ifndef HD_CIRCLE_H
#define HD_CIRCLE_H

#include "thread.h"

/* The current thread, before an access at pc, has run for long. True: watch it, call
 * hd_circle_watch before each of its accesses. */
bool hd_circle_begin(struct hd_thread *self, void *pc);
/* True: go on watching. Does not return if nobody will ever get anywhere. */
bool hd_circle_watch(struct hd_thread *self, void *pc);

#endif

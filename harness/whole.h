/* whole.h - did a transaction run as one step?
 *
 * Outcomes of serial executions are those in which the flagged transaction runs as
 * one step, whatever becomes of others. A transaction that is on a cycle may still
 * have: it then interrupted somebody else. */
#ifndef HD_WHOLE_H
#define HD_WHOLE_H

#include "sched/trace/trace.h"

#include <stdbool.h>
#include <stdint.h>

/* In this execution, or one that differs from it only in the order of operations that
 * have nothing to do with each other: does nothing come in between the operations of
 * any instance of the transaction with this identity (of its atomicity warning)?
 * One that never came to its end was no step, unless it is by its own doing that the
 * program ended (`failing`, its thread; or NULL). Gives up with false on executions
 * that are too long. */
bool hd_whole(struct hd_trace *trace, const char *transactions, uint64_t identity,
              const char *failing, struct hd_error *err);

#endif

/* witness.h - does a program that was built anew still do what an entry is about?
 *
 * Its schedule may be followed to the end by a program in which something else
 * happens at each step: then the replay shows nothing. */
#ifndef HD_WITNESS_H
#define HD_WITNESS_H

#include "verdict.h"

#include "sched/trace/trace.h"

/* The execution ended with the failure `kind` (NULL: none; "exit": a status that is not
 * 0) in `function` (NULL: not known). False: that is another one, and `why` says so. */
bool hd_witness_fails(const struct hd_verdict_failure *failure, const char *kind,
                      const char *function, char *why, size_t room);

/* The accesses occur in this trace in their order and by these threads, those of the thread
 * that comes first in one call of the transaction's function. */
bool hd_witness_in_order(const struct hd_verdict_warning *warning, struct hd_trace *trace,
                         struct hd_error *err);

/* Each access of the warning is in the trace, by whichever thread: the operation, the
 * variable, the function. False: one is not,
 * and `why` says which; or the trace cannot be read (err). */
bool hd_witness_accesses(const struct hd_verdict_warning *warning, const char *trace,
                         char *why, size_t room, struct hd_error *err);

#endif

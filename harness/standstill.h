/* standstill.h - who waits for whom, of threads that stand still when a trace ends.
 *
 * Told by the trace alone: which locks are held by whom, by what was acquired and
 * released, and who stands before which (`stands`, `awaits`). A circle is some threads of
 * whom each waits for the next one; what the others do does not matter. */
#ifndef HD_STANDSTILL_H
#define HD_STANDSTILL_H

#include "sched/trace/trace.h"

#include <stdbool.h>
#include <stdint.h>

struct hd_circle { /* what a warning says of one */
    uint64_t locks[8]; /* identities of what is waited for, each by one of them */
    uint32_t lock_count;
    bool joins; /* one of them waits for the end of the next one */
};

struct hd_standstill; /* of one execution */

/* NULL: nobody stands still; or an error, in err. */
struct hd_standstill *hd_standstill_read(struct hd_trace *trace, struct hd_error *err);
enum hd_standing {
    HD_STANDING_ELSE,   /* there is no such circle */
    HD_STANDING_UNSURE, /* too many readers wait for each other to look at them all */
    HD_STANDING_SO
};
enum hd_standing hd_standstill_has(struct hd_standstill *self, const struct hd_circle *circle);
void hd_standstill_free(struct hd_standstill *self);

#endif

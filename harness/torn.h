/* torn.h - transactions that were half done when the program failed.
 *
 * A failed assertion ends the process; the transaction whose half-done work was
 * seen by the failing thread never comes to its end, and no cycle closes. What
 * the trace does show: an instance that is open at its end, and a chain of
 * conflicting accesses, posts and signals from it to the failing thread. */
#ifndef HD_TORN_H
#define HD_TORN_H

#include "sched/trace/trace.h"

#include <stdbool.h>
#include <stdint.h>

struct hd_torn {
    uint64_t warning[16]; /* identities of the atomicity warnings about such regions */
    uint32_t count;
};

int hd_torn_find(struct hd_torn *self, struct hd_trace *trace, const char *transactions,
                 const char *failing, struct hd_error *err);
bool hd_torn_has(const struct hd_torn *self, uint64_t identity);

#endif

/* identity.h - what is the same thing in two executions.
 *
 * Ids of a trace are given in the order of first use, so they differ between
 * executions. What does not: where code is, where static data is, where in the
 * program a heap object was allocated, the name of a thread. An identity is a
 * hash of those. */
#ifndef HD_IDENTITY_H
#define HD_IDENTITY_H

#include "checkers/front.h"
#include "checkers/warning.h"
#include "sched/trace/trace.h"

#include <stdint.h>

uint64_t hd_identity_site(const struct hd_trace *trace, uint32_t site);
uint64_t hd_identity_variable(const struct hd_trace *trace, uint32_t granule);
uint64_t hd_identity_lock(const struct hd_trace *trace, uint32_t sync);
uint64_t hd_identity_region(const struct hd_trace *trace, const struct hd_region *region);
/* Of what says that it is not atomic. */
uint64_t hd_identity_atomicity(const struct hd_trace *trace, const struct hd_region *region);
/* What a warning accuses: a transaction, a variable, a set of locks. */
uint64_t hd_identity_warning(const struct hd_front *front, const struct hd_trace *trace,
                             const struct hd_warning *warning);
uint64_t hd_identity_mix(uint64_t a, uint64_t b);

/* Of a high-level race, by what is used apart and what together, and in which functions:
 * whether it is read or written, and on which line, differs between executions. */
uint64_t hd_identity_parts(const struct hd_trace *trace, const struct hd_warning *warning);

#endif

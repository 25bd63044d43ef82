/* record.h - what the rest of the runtime tells the trace. All of these do
 * nothing when no trace is being recorded. */
#ifndef HD_RECORD_H
#define HD_RECORD_H

#include "primitive.h"
#include "trace/event.h"

/* An event of the current thread on a primitive (acq, rel, V, P, notify ...). */
void hd_record_sync(enum hd_kind kind, struct hd_primitive *primitive, uint32_t aux,
                    unsigned flags, void *pc);
/* wait and wake: condition and lock. */
void hd_record_wait(enum hd_kind kind, struct hd_primitive *condition,
                    struct hd_primitive *lock, void *pc);
/* fork, join: the other thread's id. start, stop, sleep, yield: 0. */
void hd_record_plain(enum hd_kind kind, uint32_t obj, uint32_t aux, unsigned flags, void *pc);
/* begin and txb: a label by name. */
void hd_record_region(enum hd_kind kind, const char *name, unsigned flags, void *pc);

#endif

/* dependence.h - does the order of two operations matter?
 *
 * Operations on the same place do unless both read; ending the process does
 * with everything; the passing of a deadline does with everything that has to do
 * with time; a cancellation or a signal does with all that its thread may do
 * next. A wait also lets go of its mutex, so an operation can have a second
 * place (op->also). */
#ifndef HD_DEPENDENCE_H
#define HD_DEPENDENCE_H

#include "place.h"
#include "thread.h"

/* Does what `thread` stands before depend on an operation already done? */
static inline bool hd_depends(const struct hd_op *op, uint64_t key, unsigned mode,
                              const struct hd_thread *thread) {
    if (mode == HD_MODE_NONE) return false;
    if (key == HD_KEY_PROCESS) return true;
    if (op->place && op->place->key == HD_KEY_PROCESS && op->mode == HD_MODE_WRITE) return true;
    if (thread->deadline != HD_NEVER && key == HD_KEY_TIME && mode == HD_MODE_WRITE) return true;
    if (op->also && op->also->key == key) return true;
    if (mode == HD_MODE_WRITE && key == hd_mailbox_key(thread)) return true;
    if (!op->place || op->mode == HD_MODE_NONE || op->place->key != key) return false;
    return mode == HD_MODE_WRITE || op->mode == HD_MODE_WRITE;
}

/* Would the order of what these two stand before matter? */
static inline bool hd_pending_conflict(const struct hd_thread *a, const struct hd_thread *b) {
    if (a->by_time && b->deadline != HD_NEVER) return true;
    if (b->by_time && a->deadline != HD_NEVER) return true;
    if (a->op.also && hd_depends(&b->op, a->op.also->key, HD_MODE_WRITE, b)) return true;
    return a->op.place && hd_depends(&b->op, a->op.place->key, a->op.mode, b);
}

#endif

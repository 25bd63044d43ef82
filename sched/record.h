/* record.h - what the rest of the runtime tells the trace. All of these do
 * nothing when no trace is being recorded. */
#ifndef HD_RECORD_H
#define HD_RECORD_H

#include "primitive.h"
#include "runtime.h"
#include "shadow.h"
#include "trace/coding.h"

/* An event of the current thread on a primitive (acq, rel, V, P, notify ...). */
void hd_record_sync(enum hd_kind kind, struct hd_primitive *primitive, uint32_t aux,
                    unsigned flags, void *pc);
/* wait and wake: condition and lock. */
void hd_record_wait(enum hd_kind kind, struct hd_primitive *condition,
                    struct hd_primitive *lock, void *pc);
/* from here on this variable needs this lock */
void hd_record_guarded(struct hd_var *var, struct hd_primitive *lock, void *pc);
/* fork, join: the other thread's id. start, stop, sleep, yield: 0. */
void hd_record_plain(enum hd_kind kind, uint32_t obj, uint32_t aux, unsigned flags, void *pc);
/* At the end: it waits for this lock, or for the end of this thread, for ever. */
void hd_record_stands(struct hd_thread *thread, struct hd_primitive *lock);
void hd_record_awaits(struct hd_thread *thread, const struct hd_thread *other);
/* begin and txb: a label by name. */
void hd_record_region(enum hd_kind kind, const char *name, unsigned flags, void *pc);

/* The innermost call of this thread is over (returned from, or jumped out of). */
void hd_call_left(struct hd_thread *self);

struct hd_block;
void hd_record_alloc(struct hd_block *block, void *pc);
void hd_record_free(struct hd_block *block, void *pc);

void hd_record_access(enum hd_kind kind, struct hd_var *var, unsigned order, unsigned flags,
                      void *pc);

void hd_record_prepare(void); /* what it needs in this process; begin does so too */
/* A run of expected events is full. */
void hd_record_run(void);

/* The same for a plain access, which is most often the one to be expected. (There
 * is a slot of this thread only if the trace shows the thread.) */
static inline void hd_record_plain_access(struct hd_thread *self, struct hd_coder *coder,
                                          enum hd_kind kind, struct hd_var *var, void *pc) {
    struct hd_slot *slot = coder->last->then;
    uint32_t obj = slot->event.obj + slot->stride;
    if (hd_likely(slot->where == (uintptr_t)pc &&
                  hd_code_tail(&slot->event) == (self->id | (uint32_t)kind << 16)) &&
        hd_likely((obj | HD_VAR_TRACED) == var->trace && self->entered == self->depth)) {
        slot->event.obj = obj;
        coder->last = slot;
        if (hd_unlikely(--coder->left == 0)) hd_record_run();
        return;
    }
    hd_record_access(kind, var, 0, 0, pc);
}

void hd_record_begin(void); /* of an execution: open the file */
void hd_record_end(void);
/* In another process, which was lost with all that it had: a trace of nothing. */
void hd_record_lost(void);
void hd_record_leave(void); /* the current thread is left: what it did last is done */

#endif

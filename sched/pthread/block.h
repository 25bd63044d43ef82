/* block.h - points of the pthread layer: like those of sched.h, with
 * cancellation and signals.
 *
 * A thread that blocks can be called away: by a signal with a handler (which
 * then runs on that thread, and the wait goes on or ends with EINTR), or by
 * pthread_cancel. hd_block hides the loop that this takes. */
#ifndef HD_BLOCK_H
#define HD_BLOCK_H

#include "taken.h"

#include <time.h>

enum hd_wake {
    HD_READY,       /* the condition holds: the operation can be done */
    HD_TIMED_OUT,
    HD_INTERRUPTED, /* a handler ran that ends such waits (only with HD_INTERRUPTIBLE) */
    HD_CANCELED,    /* act on it: hd_cancel_now (only with HD_CANCELABLE) */
};

enum {
    HD_CANCELABLE = 1,
    HD_INTERRUPTIBLE = 2, /* also if it asks for restart, when there is a deadline */
    HD_ARMED = 4,
    HD_SHARED = 8,
    HD_UNRESTARTED = 16,  /* HD_INTERRUPTIBLE, by any handler: waiting for signals, descriptors */
    HD_WAITS_FIRST = 32,  /* HD_CANCELABLE only if it has to wait: joins */
    HD_OTHER_MASK = 64,   /* hd_signal_mask_meanwhile: what that lets through is for the wait */
};

/* hd_point, unless there is nothing to schedule. */
void hd_step(enum hd_kind kind, struct hd_place *place, enum hd_mode mode, void *pc);
/* Hidden state (access.h) for which the address of this cell stands is about to be looked
 * at or changed. True: the order is open, a point is needed. Else that was one event, as
 * the point would be: a schedule means the same whatever is known. Most programs never
 * change such state; as long as nobody did in any execution (`is_used`) it costs nothing. */
bool hd_hidden_point(bool is_used, const void *cell, unsigned size, bool write, void *pc);
/* Somebody is about to change it. */
void hd_hidden_known(bool *is_used);

/* A try to acquire: it writes only if it succeeds, which is settled when its
 * turn comes. */
void hd_try(enum hd_kind kind, struct hd_place *place, void *pc,
            bool (*ready)(struct hd_thread *self, void *argument), void *argument);

/* Stand before an operation until ready(self, argument) holds. `ready` NULL:
 * never, only time or a call can end it. A wait with a deadline has an operation
 * of its own before it, that looks at the place and at the clock: from then on
 * the deadline is one of those that pass in order. HD_ARMED: the caller's last
 * operation was such a one. HD_SHARED: operations that only read the place may
 * change the condition (readers who leave), so that looking is no mere read. */
enum hd_wake hd_block(enum hd_kind kind, struct hd_place *place, enum hd_mode mode, void *pc,
                      bool (*ready)(struct hd_thread *self, void *argument),
                      void *argument, uint64_t deadline, unsigned flags);

/* End the execution: "thread 0.1 <sentence>: mutex [...], held by ...". */
void hd_complain(enum hd_failure_kind kind, const struct hd_primitive *object, void *pc,
                 const char *sentence) __attribute__((noreturn));

/* To be asked after a point: somebody may have destroyed it before, or freed the
 * memory that it is in. */
void hd_still_there(const struct hd_primitive *primitive, void *pc);

/* ---- cancellation (cancel.c) ---- */

/* Somebody canceled it and it listens. */
static inline bool hd_cancel_pending(const struct hd_thread *self) {
    return self->canceled && !self->cancel_disabled && !self->leaving && !self->exiting;
}
/* Ends the current thread as canceled, through its cleanup handlers. */
void hd_cancel_now(void) __attribute__((noreturn));
/* What `target` waits for has to be asked again: it was canceled or signaled. */
void hd_called_away(struct hd_thread *target);
/* The calling thread comes to a cancellation point: has it been canceled? Hidden
 * state (access.h), looked at before the call does what it is for; hd_block does so
 * itself. */
bool hd_cancel_due(void *pc);
/* The same for a call that hd_block has no part in, and acts on it. */
void hd_cancel_point(void *pc);
/* The operation under way reads whether its thread was canceled. */
void hd_cancel_look(struct hd_thread *self);

/* ---- time (time.c) ---- */

#define HD_EPOCH 946684800UL /* seconds: CLOCK_REALTIME at the start, 2000-01-01 */

/* A point in time on `clock` as virtual nanoseconds; 0 or EINVAL. */
int hd_deadline(clockid_t clock, const struct timespec *at, uint64_t *out, void *pc);
/* So long from now, which is a read of the clock: a point. */
int hd_deadline_in(const struct timespec *span, uint64_t *out, void *pc);

#endif

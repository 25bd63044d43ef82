/* sched.h - one thread at a time, and who is next.
 *
 * There is no scheduler thread: whoever reaches a point decides with the
 * strategy's help who goes on, and switches there. The root context (the
 * process's own stack) only starts an execution and takes over when it ends.
 *
 * The life of a visible operation:
 *     hd_point(...)      the thread says what it is about to do and where;
 *                        others may run now; when it returns, it is this
 *                        thread's turn and the operation can be done
 *     the operation      done by the caller, no switch in between
 *     hd_changed(place)  if others may be able to go on because of it
 *
 * Rules:
 *   (1) A thread stands before every visible operation, also while others run:
 *       thread->op tells strategies what it would do.
 *   (2) A blocking operation gives a condition (`ready`). While it is false the
 *       thread is not runnable. It is asked again at every hd_changed of the
 *       operation's place, never in between: whoever changes what a condition
 *       reads calls hd_changed.
 *   (3) Order (clocks, schedules, traces) is settled when hd_point returns, not
 *       when it is called. */
#ifndef HD_SCHED_H
#define HD_SCHED_H

#include "trace/event.h"
#include "place.h"
#include "thread.h"

#include <stdbool.h>

/* An operation that can always be done. */
void hd_point(enum hd_kind kind, struct hd_place *place, enum hd_mode mode, void *pc);

/* The same in two halves, for an operation whose mode shows only when its turn
 * has come. */
void hd_point_begin(enum hd_kind kind, struct hd_place *place, enum hd_mode mode, void *pc);
void hd_point_settle(enum hd_mode mode);

/* One that can be done when ready(self, argument) holds. With a deadline
 * (virtual nanoseconds, or HD_NEVER): false if the deadline passed first; the
 * clock has then been moved there. */
bool hd_point_until(enum hd_kind kind, struct hd_place *place, enum hd_mode mode, void *pc,
                    bool (*ready)(struct hd_thread *self, void *argument), void *argument,
                    uint64_t deadline);

/* The conditions of those who stand before `place` may have changed. The
 * operation under way is one on that place. */
void hd_changed(struct hd_place *place);

/* The condition of this thread may have, by an operation on something else that
 * it depends on. Who only shares the place with it is not concerned: what an
 * operation touches must follow from what comes before it in its class. */
void hd_changed_for(struct hd_thread *thread);

/* The next point of the current thread writes this place as well, and tells
 * so beforehand (a wait writes a condition and a mutex). */
void hd_also(struct hd_place *place);

/* The operation the current thread has just been allowed to do also touches
 * this place (a wait touches a condition and a mutex). */
void hd_touch(struct hd_place *place, enum hd_mode mode);

/* The current thread takes this lock, for itself or with others, or gives it back:
 * the place's gate, and what those who look at something under it know. */
void hd_gate_take(struct hd_place *place, bool alone);
void hd_gate_give(struct hd_place *place);
/* It looked whether the gate is open. */
void hd_gate_try(struct hd_place *place);
/* It waits for this lock from now on (1), or does not any more (-1), and those who would
 * share it let it go first. */
static inline void hd_gate_wait(struct hd_place *place, int by) {
    place->gate += by * HD_GATE_WAITER;
}

/* pthread/signal.c: run the handlers of signals that wait for this thread and are
 * not masked, and act on an asynchronous cancellation. */
enum hd_handled { HD_NOT_HANDLED, HD_HANDLED_RESTARTS /* all ask for that */, HD_HANDLED };
enum hd_handled hd_interrupt_run(struct hd_thread *self);

/* Step aside: others go first if there are any. */
void hd_yield(void *pc);

/* An answer in 0..n-1 that is part of the schedule. */
int hd_choose(int n);

/* events went beyond limit: the schedule says so, or the thread has run long. */
void hd_limit(struct hd_thread *self, void *pc);

/* The current thread starts, which is an operation if its op has a mode. */
void hd_begin(void);

/* The current thread is done; never returns. */
void hd_finish(void) __attribute__((noreturn));

/* Pseudo-places by key (enum hd_hidden). */
struct hd_place *hd_pseudo(enum hd_hidden key);
const char *hd_hidden_name(uint64_t key); /* NULL: it is an address */

/* A thread made by hd_thread_new, with its fiber prepared, may run from now on. */
void hd_thread_started(struct hd_thread *thread);

/* The schedule so far, complete with what the current thread has just passed. */
void hd_leave_segment(void);

/* virtual time, in nanoseconds */
uint64_t hd_now(void);

#endif

/* judge.h - was this execution serializable, and if not, who was the victim?
 *
 * The measure of a confirmation: an execution that really happened confirms that a
 * transaction is not atomic iff the judge says so of its events. It is linked into
 * the program under test, so it asks for nothing: memory is what the caller hands
 * over, and of the C library it uses memcpy and memset. It includes no header of
 * heddle.
 *
 * Definition. A node is a transaction, or an operation outside of any. An operation
 * f comes *directly after* an earlier e of another thread if
 *   - they access one variable, one of them writes, and no access to it lies between
 *     that is ordered with both (by this rule or by being of one thread);
 *   - e lets go of a lock that f takes, not both as readers, one of the two sections
 *     is held across the begin or end of a transaction, and no section between makes
 *     it superfluous in the same way;
 *   - f is the first of a thread that e forks, or joins a thread whose last e is;
 *   - f leaves a barrier that e came to in the same episode;
 *   - f takes the permit of a semaphore that e gave, first in first out;
 *   - f is woken by the signal e.
 * The execution is not serializable iff the nodes have a cycle of such pairs and of
 * neighbours in a thread. A transaction on a cycle is *accused* if it is left by an
 * operation that comes before the one by which the cycle comes back to it.
 *
 * Not every one that is accused is a victim. Let a writer change a and, in another
 * section of its lock, b; and let a reader read b and a in one section between the
 * two. Both are accused, since the cycle passes each of them backwards; but only the
 * writer was interrupted. So: an accused transaction is *torn* if a way of pairs, all
 * sections of all locks counted, leads from an operation of it over other threads to
 * a later one of it. It surely was not one step. *Victims* are the torn ones, and
 * those that are accused even when torn ones are no longer taken for one step, that
 * is, passed only from an operation to later ones. A cycle always has a victim.
 *
 * velodrome:lock-edges=boundary decides the same on a trace of any length. It keeps
 * no graph; the judge keeps all of it, and so finds every victim.
 *
 * Use: hd_judge_new once; for each execution hd_judge_reset, then the operations in
 * the order in which they happened, then hd_judge_decide. Steps are the caller's
 * numbers and must grow. Threads are small numbers; all other names are any number,
 * those of variables, locks, barriers, semaphores and conditions apart. */
#ifndef HD_JUDGE_H
#define HD_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_judge;

/* A judge that lives in `memory` and uses nothing else; NULL if that is too little
 * to begin with (HD_JUDGE_LEAST is enough). An operation needs 100 to 200 bytes. */
#define HD_JUDGE_LEAST 16384
struct hd_judge *hd_judge_new(void *memory, size_t size);
void hd_judge_reset(struct hd_judge *j);
/* The memory was too little for what came since the last reset: no decision. */
bool hd_judge_full(const struct hd_judge *j);

/* Transactions: only the outermost begin of a thread counts. */
void hd_judge_begin(struct hd_judge *j, uint32_t thread, uint64_t label, uint64_t step);
void hd_judge_end(struct hd_judge *j, uint32_t thread, uint64_t step);
/* For a transaction that fork, join, barrier or a wait cuts: end, the operation,
 * begin. */

void hd_judge_access(struct hd_judge *j, uint32_t thread, uint64_t variable, bool write,
                     uint64_t step);
/* The operation of this thread with this step is several accesses; before each of them. */
void hd_judge_parts(struct hd_judge *j, uint32_t thread, uint64_t step);
/* Reentrant: only the outermost counts. A wait is unlock, wait, wake, lock. */
void hd_judge_lock(struct hd_judge *j, uint32_t thread, uint64_t lock, bool shared,
                   uint64_t step);
void hd_judge_unlock(struct hd_judge *j, uint32_t thread, uint64_t lock, uint64_t step);
void hd_judge_fork(struct hd_judge *j, uint32_t thread, uint32_t child, uint64_t step);
void hd_judge_join(struct hd_judge *j, uint32_t thread, uint32_t child, uint64_t step);
void hd_judge_arrive(struct hd_judge *j, uint32_t thread, uint64_t barrier, uint64_t episode,
                     uint64_t step);
void hd_judge_depart(struct hd_judge *j, uint32_t thread, uint64_t barrier, uint64_t episode,
                     uint64_t step);
/* Permits from the start are taken first; tell before the first post or pend. */
void hd_judge_semaphore(struct hd_judge *j, uint64_t semaphore, uint64_t permits);
void hd_judge_post(struct hd_judge *j, uint32_t thread, uint64_t semaphore, uint64_t step);
void hd_judge_pend(struct hd_judge *j, uint32_t thread, uint64_t semaphore, uint64_t step);
/* A wake-up belongs to the oldest signal since the wait began that woke nobody else;
 * one without such a signal (a deadline, a spurious one) is after nobody. */
void hd_judge_wait(struct hd_judge *j, uint32_t thread, uint64_t condition, uint64_t step);
void hd_judge_signal(struct hd_judge *j, uint32_t thread, uint64_t condition, bool all,
                     uint64_t step);
void hd_judge_wake(struct hd_judge *j, uint32_t thread, uint64_t condition, uint64_t step);
/* For whatever else forces an order: a ticket of an operation, and one after it. */
typedef const struct hd_judge_point *hd_judge_ticket;
hd_judge_ticket hd_judge_mark(struct hd_judge *j, uint32_t thread, uint64_t step);
void hd_judge_after(struct hd_judge *j, uint32_t thread, hd_judge_ticket ticket, uint64_t step);

/* ---- the decision --------------------------------------------------------- */

/* A node on a cycle: come to by one operation, left by another. */
struct hd_judge_stop {
    uint64_t label; /* as given to begin; HD_JUDGE_NO_LABEL: no transaction */
    uint32_t thread;
    uint64_t in, out; /* steps */
};
#define HD_JUDGE_NO_LABEL UINT64_MAX

struct hd_judge_victim {
    uint64_t label;
    uint32_t thread;
    uint64_t begin;   /* step of its begin */
    uint64_t leaves;  /* left by this step ... */
    uint64_t returns; /* ... and come back to by this one, which is later */
    const struct hd_judge_stop *stops; /* the others on the cycle, in order from `leaves` */
    uint32_t stop_count;
    bool by_locks; /* a victim only if the order of locks counts: if those sections could
                      change places, the others could run whole, before or after it */
    const struct hd_judge_victim *next;
};

/* NULL: serializable (or hd_judge_full). Else all victims, in the order of their
 * begins. Valid until the next reset. Nothing may be told after it. */
const struct hd_judge_victim *hd_judge_decide(struct hd_judge *j);
/* Only transactions with a label that is asked for are looked at, and of those with
 * one label at most one is told. For long executions: each look costs a search. */
const struct hd_judge_victim *hd_judge_decide_for(struct hd_judge *j,
                                                  bool (*asked)(void *context, uint64_t label),
                                                  void *context);

#endif

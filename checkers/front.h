/* front.h - what every checker wants to know about an event, worked out once.
 *
 * The front end turns events into steps. A step is an event together with the
 * state of its thread *before* the event: what it holds, in which period and
 * transaction it is, whether other threads can reach what it touches. All of it
 * is computed for all checkers in one loop, and the costly parts only if one of
 * the selected checkers asks (enum hd_need).
 *
 * Rules checkers rely on:
 *   (1) Steps come in the order of the trace, in batches. What a step points to
 *       lives until the batch has been handed to every checker, no longer.
 *   (2) `obj` of an access is a granule. An access to a variable of several
 *       granules becomes one step for each, all with the same `seq`; all but
 *       the first carry HD_MARK_PART.
 *   (3) `obj` of TXBEGIN and TXEND stays a label. The lock that memory
 *       transactions take shows in `held` as hd_front_tm(front), and the steps
 *       carry HD_MARK_REENTRANT when nested.
 *   (4) A wait is a non-reentrant release of its lock (aux) however deep it was
 *       held, a wake a fresh non-reentrant acquire at the old depth.
 *   (5) A transaction in the sense of transaction.h shows as a step
 *       HD_STEP_OPEN before its first event and a step HD_STEP_CLOSE after its
 *       last; all steps of it carry its instance `txn` and its `region`. There
 *       are no empty ones. What is in no transaction is a transaction of its
 *       own: a fresh `txn`, `region` HD_NO_ID, no OPEN or CLOSE. It can
 *       interfere, and is never a victim.
 *   (6) The raw BEGIN and END steps are handed out too, for checkers that cut by
 *       themselves.
 *   (7) Only accesses, fences, lock, condition and semaphore operations, once and
 *       output belong to transactions; all other steps have `txn` HD_NO_ID.
 *   (8) A release of something not held, an `end` without `begin` and the like
 *       are noted and left out: no such step is handed out. A wait whose lock is
 *       not held is handed out with `acq` HD_NO_ID. */
#ifndef HD_FRONT_H
#define HD_FRONT_H

#include "checkers/arena.h"
#include "checkers/lockset.h"
#include "checkers/period.h"
#include "sched/trace/trace.h"

#include <stdbool.h>

enum hd_need {
    HD_NEED_PERIODS = 1,      /* step.period */
    HD_NEED_ESCAPE = 2,       /* HD_MARK_ESCAPED; without it, everything counts as escaped */
    HD_NEED_TRANSACTIONS = 4, /* step.txn, region, pos, OPEN and CLOSE */
    HD_NEED_CONTENDED = 8,    /* HD_MARK_CONTENDED; without it, everything counts as contended */
    /* With the one above, if all checkers ask for it: accesses that are not contended, and
     * calls, are not handed out. A transaction then opens with the first step of it that is. */
    HD_NEED_NOTHING_ELSE = 16,
};

/* Kinds that only steps have. */
enum hd_step_kind { HD_STEP_OPEN = HD_KIND_COUNT, HD_STEP_CLOSE, HD_STEP_KIND_COUNT };

enum hd_mark {
    HD_MARK_REENTRANT = 1,  /* acquire, release: changes nothing, the lock was or stays held */
    HD_MARK_ESCAPED = 2,    /* access: another thread may reach it */
    HD_MARK_PART = 4,       /* access: of the same operation as the step before */
    HD_MARK_UNARY = 8,      /* in a transaction of its own */
    HD_MARK_INCOMPLETE = 16, /* CLOSE: the trace or the thread ended inside */
    HD_MARK_DETERMINISTIC = 32, /* OPEN: the region is annotated as deterministic */
    HD_MARK_CONTENDED = 64,  /* access: by another thread at the same time, too (contended.h) */
    HD_MARK_MORE = 128,      /* access: more of the same operation follows */
};

/* A lock that a thread holds. Older ones behind `below`: the innermost first. */
struct hd_hold {
    const struct hd_hold *below;
    uint64_t seq;     /* the event that took it */
    uint32_t lock;
    uint32_t element; /* lock and mode, as in lockset.h */
    uint32_t acq;     /* number of this acquisition, never used twice */
    uint32_t site;
    uint32_t before;  /* lockset held when it was taken */
    uint32_t depth;   /* how many are held, this one included */
};

struct hd_step {
    uint64_t seq;                /* which event of the trace */
    const struct hd_hold *holds; /* open acquisitions before the event, innermost first */
    uint32_t obj;
    uint32_t aux;
    uint32_t site;
    uint32_t held;     /* lockset before the event */
    uint32_t acq;      /* lock operations: the acquisition that opens or closes here */
    uint32_t period;
    uint32_t txn;      /* transaction instance, from 0 */
    uint32_t region;   /* what the instance is an instance of; HD_NO_ID: a single event */
    uint32_t pos;      /* how many events of the instance came before */
    uint32_t function; /* label of the innermost function, or HD_NO_ID; always there */
    uint16_t thread;
    uint8_t kind;      /* enum hd_kind or enum hd_step_kind */
    uint8_t flags;     /* enum hd_event_flag */
    uint8_t marks;     /* enum hd_mark */
};

/* Where transactions come from: instances of one region are one method in the
 * sense of the papers. */
enum hd_region_how { HD_REGION_ANNOTATED, HD_REGION_FUNCTION, HD_REGION_LOCK, HD_REGION_MEMORY };

struct hd_region {
    uint32_t label; /* the annotation's, the function's; for a lock region the function it
                       is in; or HD_NO_ID */
    uint32_t site;  /* of the first event seen of the first instance, or HD_NO_ID */
    uint32_t lock;  /* HD_REGION_LOCK: the lock; else HD_NO_ID */
    uint8_t how;
};

struct hd_front;
struct hd_notes;
struct hd_policy;

struct hd_front *hd_front_new(struct hd_arena *arena, const struct hd_trace *trace,
                              const struct hd_policy *policy, struct hd_notes *notes,
                              unsigned needs);
/* True: hd_front_survey wants to see all events once before the real pass. */
bool hd_front_wants_survey(const struct hd_front *front);
void hd_front_survey(struct hd_front *front, const struct hd_event *events, size_t count);
void hd_front_survey_end(struct hd_front *front);
/* True: nothing of the trace is wanted but these few events, in place of all. */
bool hd_front_is_quiet(const struct hd_front *front, const struct hd_event **events,
                       size_t *count);

/* Turn events into steps: fills the batch as far as it goes, returns how many
 * events it took. `*steps` and `*count` are the batch. */
size_t hd_front_feed(struct hd_front *front, const struct hd_event *events, size_t count,
                     const struct hd_step **steps, size_t *made);
/* The trace is over: closes what is open. */
void hd_front_finish(struct hd_front *front, const struct hd_step **steps, size_t *made);

struct hd_locksets *hd_front_locksets(const struct hd_front *front);
struct hd_periods *hd_front_periods(const struct hd_front *front); /* with HD_NEED_PERIODS */
const struct hd_region *hd_front_region(const struct hd_front *front, uint32_t region);
uint32_t hd_front_regions(const struct hd_front *front);
/* Is this function none of the transactions only because of what some call of it does in
 * this trace: many lock regions; or fork, join, barrier, wait, sleep, output? */
enum hd_yields { HD_YIELDS_NOT, HD_YIELDS_LARGE, HD_YIELDS_STOPS };
enum hd_yields hd_front_yields(const struct hd_front *front, uint32_t label);
/* The region of a label as annotated by begin/end: for checkers that cut by
 * themselves, since regions inside of others have no instances here. */
uint32_t hd_front_region_of(struct hd_front *front, uint32_t label, uint32_t site);
uint32_t hd_front_tm(const struct hd_front *front);    /* the lock of memory transactions */
uint32_t hd_front_locks(const struct hd_front *front); /* lock ids are below this */
/* A name to show, never NULL. */
const char *hd_front_lock_name(const struct hd_front *front, uint32_t lock, char *buffer,
                               size_t size);
const char *hd_front_region_name(const struct hd_front *front, uint32_t region, char *buffer,
                                 size_t size);

#endif

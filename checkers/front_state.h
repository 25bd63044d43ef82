/* front_state.h - the front end's own state, shared by its files.
 *
 * front.c turns events into steps, front_hold.c follows what threads hold,
 * front_txn.c cuts transactions, front_escape.c knows what is shared,
 * front_survey.c looks at the whole trace first where an answer needs it,
 * front_wanted.c passes over what nobody wants, and front_odd.c says what does not fit.
 * Nothing outside of front*.c includes this. */
#ifndef HD_FRONT_STATE_H
#define HD_FRONT_STATE_H

#include "checkers/contended.h"
#include "checkers/front.h"
#include "checkers/transaction.h"
#include "checkers/warning.h"
#include "sched/trace/bug.h"

#define HOLDS_MOST 1024 /* locks held at once; a set of n costs n words, n of them n*n */

struct hold {
    struct hd_hold pub;
    struct hold *below;
    uint32_t level; /* times the owner took it */
};

enum source { SOURCE_NONE, SOURCE_ANNOTATED, SOURCE_FUNCTION, SOURCE_LOCK };

struct annotation {
    uint32_t label;
    uint32_t site;
    bool deterministic;
};

struct thread {
    struct hold *top;
    uint32_t held;
    uint32_t period;   /* HD_NO_ID: to be asked for */
    uint32_t function; /* top of calls, or HD_NO_ID */
    /* the transaction it is in */
    uint32_t txn; /* HD_NO_ID: no instance open */
    uint32_t pos;
    uint32_t single;      /* the last one of an operation alone */
    uint32_t region;      /* of `source` */
    uint8_t source;       /* what opened the outermost region */
    bool deterministic;   /* the region is annotated so */
    bool odd;             /* look closer at the next event */
    bool stopped, joined, started, forked;
    bool more;                /* its next event belongs to the operation of its last one */
    size_t source_depth;  /* calls when `source` opened, a function */
    uint32_t outer_lock;  /* of those held the first that was taken ... */
    uint32_t outer_label; /* ... if by a memory transaction, its label ... */
    size_t outer_depth;   /* ... and the calls at that time */
    /* stacks */
    uint32_t *calls;
    size_t call_count, call_room;
    struct annotation *annotations;
    size_t annotation_count, annotation_room;
    /* asleep in a wait */
    bool waiting;
    uint32_t wait_condition, wait_lock, wait_level;
    bool wait_shared;
    /* inside a barrier */
    bool at_barrier;
    uint32_t barrier, episode;
};

/* What the survey finds out about a function. */
enum label_fact {
    LABEL_BIG = 1,    /* some call of it stops or has too many lock regions */
    LABEL_ENTRY = 2,  /* main or a thread's first */
    LABEL_BARRED = 4, /* `not NAME` */
    LABEL_TXN = 8,    /* a call of it is a transaction */
    /* transaction.h, rule 2: what it outlasts, begun inside of it */
    LABEL_CALL_OUTLASTS_LOCK = 16,
    LABEL_REGION_OUTLASTS_LOCK = 32, /* as the label of an annotated region */
    LABEL_REGION_OUTLASTS_CALL = 64,
    LABEL_STOPS = 128, /* big because some call of it stops */
};
enum object_fact {
    OBJECT_ESCAPED = 1,
    OBJECT_LATE = 2,  /* touched by a stranger before any escape: escaped all along */
    OBJECT_FREED = 4,
    OBJECT_OWNED = 8, /* object_owner is known */
    OBJECT_TOUCHED = 16, /* survey: accessed since it was allocated */
};

struct survey;

struct hd_front {
    struct hd_arena *arena;
    const struct hd_trace *trace;
    const struct hd_policy *policy;
    struct hd_notes *notes;
    unsigned needs;
    bool surveyed;

    struct hd_locksets *locksets;
    struct hd_periods *periods;
    uint32_t thread_count, lock_count, label_count, object_count, variable_count;
    struct thread *threads;
    uint32_t *granule_of;      /* variable -> its granule, or HD_NO_ID if it has several */
    uint32_t *object_of;       /* granule -> object; with HD_NEED_ESCAPE */
    uint8_t *object_facts;
    bool escapes;              /* the trace has `escape` events */
    uint16_t *object_owner;
    uint8_t *label_facts;      /* enum label_fact, also of ... */
    uint8_t unnamed_facts;     /* ... the annotated regions without a label */
    uint32_t *writer;          /* lock -> thread that holds it exclusively, plus one */
    uint32_t *readers;         /* lock -> how many threads hold it shared */
    int64_t *permits;          /* semaphore -> what it has left */
    uint64_t *left;            /* barrier -> latest episode that somebody left, plus one */
    uint32_t first;            /* thread of the first event */
    bool forks;                /* some thread was started */

    struct hold *spare, *limbo; /* limbo: let go of in this batch, may be pointed to */
    uint32_t next_acq;
    uint32_t next_txn;

    struct hd_region *regions;
    size_t region_count, region_room;
    uint32_t *region_heads, region_head_count; /* open addressing, id plus one */
    uint32_t *function_regions;                /* the same of a function by its label */

    struct hd_step *batch;
    size_t made, batch_room;
    uint64_t seq;

    struct survey *survey;
    struct hd_contended contended; /* with HD_NEED_CONTENDED */
    uint8_t *wanted;   /* with HD_NEED_NOTHING_ELSE, by variable: is it accessed as wanted? */
    struct hd_event *kept; /* all that is neither an access nor a call, while it is little */
    size_t kept_count, kept_room;
    bool loud;         /* something besides `kept` is wanted */
    bool reused;       /* survey: an object was allocated again after it was accessed */
};

static inline struct hd_step *hd_front_emit(struct hd_front *front, struct thread *t, uint32_t id,
                              const struct hd_event *event) {
    HD_BUG_ON(front->made >= front->batch_room, "a batch of steps ran over");
    struct hd_step *step = &front->batch[front->made++];
    if (t->period == HD_NO_ID && front->periods) {
        t->period = hd_period_now(front->periods, id);
    }
    *step = (struct hd_step){
        .seq = front->seq,
        .holds = t->top ? &t->top->pub : NULL,
        .obj = event->obj,
        .aux = event->aux,
        .site = event->site,
        .held = t->held,
        .acq = HD_NO_ID,
        .period = t->period,
        .txn = HD_NO_ID,
        .region = HD_NO_ID,
        .function = t->function,
        .thread = (uint16_t)id,
        .kind = event->kind,
        .flags = event->flags,
    };
    return step;
}

/* Which transaction the step is in; without an open one, in one of its own. */
static inline void hd_front_belong(struct hd_front *front, struct thread *t, struct hd_step *step) {
    if (!(front->needs & HD_NEED_TRANSACTIONS)) {
        return;
    }
    if (t->txn != HD_NO_ID) {
        step->txn = t->txn;
        step->region = t->region;
        step->pos = t->pos++;
    } else {
        step->txn = step->marks & HD_MARK_PART ? t->single : front->next_txn++;
        t->single = step->txn;
        step->marks |= HD_MARK_UNARY;
    }
}

/* front.c */
void hd_front_leave_barrier(struct hd_front *front, uint32_t id);

/* front_odd.c */
void hd_front_odd_begin(struct hd_front *front);
/* Something about this thread may not fit. */
void hd_front_look_closer(struct hd_front *front, uint32_t id, const struct hd_event *event);
void hd_front_odd_semaphore(struct hd_front *front, const struct hd_event *event);
void hd_front_odd_barrier(struct hd_front *front, const struct hd_event *event);
void hd_front_odd_end(struct hd_front *front);

/* front_escape.c */
void hd_front_escape_begin(struct hd_front *front);
static inline bool hd_front_object_shared(const struct hd_front *front, uint32_t object) {
    return front->object_facts[object] & (OBJECT_ESCAPED | OBJECT_LATE);
}
void hd_front_object_event(struct hd_front *front, const struct hd_event *event);
/* Survey. True: further touches of this object tell nothing new. */
bool hd_front_escape_touch(struct hd_front *front, const struct hd_event *event);
void hd_front_escape_surveyed(struct hd_front *front);

/* front_hold.c */
void hd_front_acquire(struct hd_front *front, uint32_t id, const struct hd_event *event);
void hd_front_release(struct hd_front *front, uint32_t id, const struct hd_event *event);
void hd_front_wait(struct hd_front *front, uint32_t id, const struct hd_event *event);
void hd_front_wake(struct hd_front *front, uint32_t id, const struct hd_event *event);
void hd_front_memory(struct hd_front *front, uint32_t id, const struct hd_event *event);
void hd_front_recycle(struct hd_front *front);

/* front_wanted.c */
void hd_front_wanted_begin(struct hd_front *front);
void hd_front_wanted_freed(struct hd_front *front, uint32_t object);          /* survey */
void hd_front_wanted_store(struct hd_front *front, const struct hd_event *event); /* survey */
static inline void hd_front_wanted_keep(struct hd_front *front, const struct hd_event *event) {
    if (front->wanted && !front->loud) {
        hd_front_wanted_store(front, event);
    }
}
void hd_front_wanted_end(struct hd_front *front);

/* front_txn.c */
void hd_front_call(struct hd_front *front, uint32_t id, const struct hd_event *event);
void hd_front_annotation(struct hd_front *front, uint32_t id, const struct hd_event *event);
/* Before an event that belongs to a transaction: opens an instance if one is due. */
void hd_front_inside(struct hd_front *front, uint32_t id, const struct hd_event *event);
void hd_front_boundary(struct hd_front *front, uint32_t id, const struct hd_event *event);
/* The first lock of a thread is taken; the last one was let go of. */
void hd_front_lock_region(struct hd_front *front, uint32_t id, const struct hd_event *event,
                          uint32_t lock);
void hd_front_lock_region_end(struct hd_front *front, uint32_t id, const struct hd_event *event);
void hd_front_close(struct hd_front *front, uint32_t id, const struct hd_event *event,
                    bool incomplete);
void hd_front_thread_end(struct hd_front *front, uint32_t id, const struct hd_event *event);

#endif

/* dpor.h - the complete search: what its files share. See dpor.c. */
#ifndef HD_DPOR_H
#define HD_DPOR_H

#include "footprint.h"
#include "sched/parcel.h"
#include "sched/runtime.h"

/* A tree of sequences that are still to be tried from some node: the first step
 * is any of a list of siblings, what follows it its children. */
struct hd_wake {
    struct hd_wake *next, *child;
    struct hd_wake *back; /* while a sequence is put in: wakeup.c */
    bool is_value; /* not a step but an answer that the step before got */
    int answer;
    uint32_t home;   /* whose step: ids may differ between executions, homes do not */
    uint16_t thread; /* its id, once the node is known at which it is left */
    uint64_t changed; /* hd_dpor.runs when it was made, or something was added below it */
    uint32_t item;   /* another process does it ahead: worker.h; 0: none */
    struct hd_foot foot;
};

struct hd_asleep { /* what this thread would do here was tried already */
    uint16_t thread;
    uint32_t home;
    struct hd_foot foot;
};

/* A state on the path of the present execution, and what was done there. */
struct hd_node {
    uint16_t thread; /* who went from here */
    uint32_t home;   /* and where that one lives */
    bool is_value;   /* not a scheduling choice but an answer out of `answers` */
    bool settled;    /* an operation was done; a mere start or going on is none */
    bool vain;       /* one who spins was let go though nothing had changed */
    bool blocking;   /* the operation could have had to wait */
    bool gated;      /* for its place alone */
    bool timed;      /* with a deadline */
    bool called;     /* a signal was there: its handler came before the operation */
    uint8_t kind, mode;
    int answer, answers;
    uint16_t slot;
    uint16_t tried;  /* how many went from here before */
    uint64_t since;  /* hd_dpor.runs when it was new */
    uint32_t epoch;
    uint32_t previous;  /* node + 1 of what the same thread did before, or its creator */
    uint32_t touches, touch_count;   /* in hd_dpor.touches */
    uint32_t sleepers, sleeper_count; /* in hd_dpor.sleepers */
    uint64_t enabled;   /* of the first 64 threads */
    struct hd_wake *left; /* to be tried after what is being tried */
    struct hd_foot foot;
    struct hd_clock clock; /* after the operation */
};

struct hd_touch_note { /* an operation on a place; the latest one is the place's */
    uint32_t node, before;
    int32_t gate; /* the place's, before the operation */
    uint8_t mode;
};

struct hd_move { /* of a sequence: a node */
    uint32_t node;
    uint32_t home; /* whose step; HD_ANSWER: an answer that the step before got */
};
#define HD_ANSWER UINT32_MAX

struct hd_race { /* dpor_race.c: of one later operation */
    uint32_t node;
    uint8_t possible;
    bool choosy;
};

struct hd_deed { /* dpor_gate.c: a lock was taken, or given back */
    uint32_t node;
    bool takes;
};

struct hd_dpor {
    struct hd_node *nodes;
    uint32_t room, depth; /* depth: nodes of this execution so far */
    uint32_t prefix;      /* nodes that repeat the last execution */
    uint32_t open_node;   /* node + 1 whose operation is under way; 0: none */
    struct hd_touch_note *touches;
    uint32_t touch_count, touch_room;
    struct hd_asleep *sleepers;
    uint32_t sleeper_count, sleeper_room;
    struct hd_wake *guide; /* what is to be tried at the next node; NULL: free */
    struct hd_wake *spare;
    uint32_t *last;        /* by thread: node + 1 of its latest operation */
    uint32_t last_known;   /* threads that have an entry */
    struct hd_move *sequence; /* dpor_race.c: one that is being looked at */
    uint32_t sequence_room;
    struct hd_race *races;
    uint32_t race_count, race_room;
    struct hd_deed *deeds; /* latest first */
    uint32_t deed_count, deed_room;
    uint32_t *stops;
    uint32_t stop_count, stop_room;
    uint32_t shown;        /* how much data was visible when the search began */
    bool begun;
    bool timed;            /* deadlines play a part */
    uint64_t runs;         /* executions so far */
    uint64_t added;        /* to trees */
    /* several processes: dpor_share.c */
    uint32_t taking;       /* work that another one did is being taken; 0: none */
    uint32_t floor;        /* nodes that belong to who gave this work; 0: it is all ours */
    bool ready;            /* the next execution is known already */
    bool mixed;            /* others run in between: say after each execution where we stand */
    struct hd_parcel stand; /* where the one stood that was taken last, if so */
    const uint32_t *homes; /* of threads by id, instead of the present ones'; NULL: theirs */
};

/* An operation that could be done before others that it came after. */
struct hd_late {
    uint16_t thread;
    uint32_t home;
    uint32_t node;     /* UINT32_MAX: it was still to be done when the execution ended */
    uint32_t previous; /* as in hd_node */
    uint8_t kind, mode;
    bool blocking, timed, called;
    bool gated;        /* what it waits for is told by its place's gate alone */
    int32_t gate;      /* of its place, right before it */
    uint32_t touch;    /* the latest on its place before it */
    struct hd_foot foot; /* at most: it may do less, or fail, elsewhere */
};

/* dpor_race.c: after an execution, what else has to be tried because of it. */
void hd_dpor_races(struct hd_dpor *self);

/* ---- dpor_gate.c ---- */

/* Could the later one have been done at the earlier one's node? */
enum hd_together { HD_NEVER_THERE, HD_MAYBE, HD_SURELY };

/* What it says where it stands about the place that it waits at: the latest touch
 * and the gate before it. */
void hd_dpor_gate(struct hd_late *late, uint32_t touch, int32_t gate);
/* `note`: the earlier one's touch of the place the later one waits at, NULL: they
 * meet elsewhere. choosy: see hd_dpor_clear. */
enum hd_together hd_dpor_together(struct hd_dpor *self, uint32_t early, const struct hd_late *late,
                                  const struct hd_touch_note *note, bool *choosy);
/* Finds out who is in the way of the later one at the node of `early`: from then on
 * hd_dpor_stays says which nodes are not. False: it cannot pass there. */
bool hd_dpor_clear(struct hd_dpor *self, uint32_t early, const struct hd_late *late);
/* Is this node before `early`, or independent of it and not in the way? */
bool hd_dpor_stays(const struct hd_dpor *self, uint32_t early, const struct hd_late *late,
                   uint32_t index);

/* dpor.c */
/* Opened before anything else is asked of it. */
static inline struct hd_dpor *hd_dpor_self(void) { return hd_rt->strategy_state; }
struct hd_node *hd_dpor_push(struct hd_dpor *self);
bool hd_dpor_sleeps_at(const struct hd_dpor *self, const struct hd_node *node, unsigned thread);
void hd_dpor_sleeps(struct hd_dpor *self, struct hd_node *node, uint16_t thread, uint32_t home,
                    const struct hd_foot *foot);

/* dpor_share.c: is the branch that is now to be tried done already? Then its
 * executions are taken, one at a time, until there are no more. */
bool hd_dpor_done_ahead(struct hd_dpor *self, uint32_t item);
bool hd_dpor_take(struct hd_dpor *self);
/* For who gave this work: at this node of his, the sequence is to be tried. */
void hd_dpor_write_down(const struct hd_dpor *self, struct hd_parcel *out, uint32_t at,
                        uint32_t count, const struct hd_late *event);
/* ... and this is where we stand now, should he have to go on from here. */
void hd_dpor_write_stand(const struct hd_dpor *self, struct hd_parcel *out);
extern const struct hd_share_ops hd_dpor_share;

/* wakeup.c */
struct hd_wake *hd_wake_new(struct hd_dpor *self, uint32_t home, const struct hd_foot *foot);
void hd_wake_free(struct hd_dpor *self, struct hd_wake *list);
/* Take the branch with this answer out of the list; what follows it, NULL: free. */
struct hd_wake *hd_wake_take_answer(struct hd_dpor *self, struct hd_wake **list, int answer);
/* The moves of self->sequence and then `event`: to be tried at this node, unless
 * that is known to lead nowhere new. */
void hd_wake_insert(struct hd_dpor *self, struct hd_node *at, uint32_t count,
                    const struct hd_late *event);

/* Room for one more in a list. */
#define HD_DPOR_GROW(list, count, room)                            \
    do {                                                           \
        if ((count) < (room)) break;                               \
        uint32_t more_room = (room) ? (room) * 2 : 64;             \
        void *more = hd_lasting(more_room * sizeof *(list));       \
        if (count) memcpy(more, (list), (count) * sizeof *(list)); \
        (list) = more;                                             \
        (room) = more_room;                                        \
    } while (0)

static inline struct hd_move hd_move_of(const struct hd_dpor *self, uint32_t index) {
    const struct hd_node *node = &self->nodes[index];
    return (struct hd_move){index, node->is_value ? HD_ANSWER : node->home};
}

static inline bool hd_node_before(const struct hd_node *early, const struct hd_clock *late) {
    return hd_clock_get(late, early->slot) >= early->epoch;
}

/* Does node `early` come before what follows the operation `previous` - 1? */
static inline bool hd_node_known(const struct hd_dpor *self, uint32_t early, uint32_t previous) {
    return early < previous && (early + 1 == previous ||
           hd_node_before(&self->nodes[early], &self->nodes[previous - 1].clock));
}

#endif

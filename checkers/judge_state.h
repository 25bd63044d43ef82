/* judge_state.h - what judge.c records and judge_decide.c looks at. */
#ifndef HD_JUDGE_STATE_H
#define HD_JUDGE_STATE_H

#include "checkers/judge.h"

/* A node. Operations outside of transactions share one as long as nothing but
 * their own thread comes before the later ones: that makes no new ways. */
struct node {
    struct node *next;   /* all of them, in order of their first steps */
    struct pair *out, *in;
    uint64_t label, begin;
    uint32_t thread;
    bool unary;
    /* For the decision. */
    uint32_t index, low, component;
    bool stacked;
    bool plain; /* accused even without the order of locks */
    bool torn, asked_torn; /* it surely was not one step; this is known */
    struct way *way;       /* how a search in steps came here: the earliest arrival */
    struct node *below;  /* the stack; the queue */
    struct pair *cursor; /* where the search goes on */
    struct pair *by;     /* how the search came here */
    struct node *from;
    uint64_t leaves;     /* by which step of the one in question */
    uint64_t visit;      /* which search has been here */
};

/* `to` comes directly after `from`. */
struct pair {
    struct node *from, *to;
    uint64_t out, in; /* steps */
    struct pair *next_out, *next_in;
    bool weak; /* the order of a lock whose sections end within transactions */
};

/* The last pair of a way, and the way before it. */
struct way {
    const struct pair *pair;
    const struct way *before;
};

struct hd_judge_point {
    struct node *node; /* NULL: none */
    uint64_t step;
    uint32_t thread;
};

/* Readers, arrivals, permits, waiters: lists of points with a little extra. */
struct item {
    struct item *next;
    struct hd_judge_point point;
    uint64_t since;  /* waiters: when the wait began */
    bool signalled;  /* waiters: `point` is the signal */
};

/* A lock held by a thread, from the outermost lock to the outermost unlock. */
struct section {
    struct section *next; /* of the thread, while open */
    struct object *lock;
    struct hd_judge_point taken, given;
    uint32_t level;
    bool shared, across;
};

/* The order of locks and unlocks of one lock. */
struct turn {
    struct turn *next;
    struct section *section;
    bool takes;
};

enum object_kind { VARIABLE = 1, LOCK, BARRIER, SEMAPHORE, CONDITION };

struct object {
    struct object *next_same; /* all of a kind: locks are walked at the end */
    uint64_t name, episode;
    enum object_kind kind;
    struct hd_judge_point write; /* variable: the last; lock: likewise, at the end */
    struct item *items, *last;   /* readers; arrivals; permits or signals in order */
    struct item *waiters, *last_waiter;
    uint64_t permits;
    struct turn *turns, *last_turn;
};

struct thread {
    struct hd_judge_point last; /* its last operation, or its fork */
    struct node *now;           /* the transaction it is in */
    uint32_t depth;
    struct section *open;
    bool seen;
    bool parts;                 /* what has the step of `last` is all in its node */
};

struct hd_judge {
    char *memory;
    size_t size, used, start; /* `start`: what a reset goes back to */
    bool full;
    struct node *nodes, *last_node;
    struct thread *threads;
    uint32_t thread_room;
    struct object **table; /* open addressing */
    size_t table_room, table_count;
    struct object *locks;
    struct item *spare;
    uint64_t visit;
    bool has_weak; /* weak pairs have been made */
};

/* Zeroed, or NULL and `full`. */
void *hd_judge_get(struct hd_judge *j, size_t size);
struct thread *hd_judge_thread(struct hd_judge *j, uint32_t id);
struct object *hd_judge_object(struct hd_judge *j, enum object_kind kind, uint64_t name);
struct item *hd_judge_item(struct hd_judge *j);
void hd_judge_drop(struct hd_judge *j, struct object *o); /* all items */
void hd_judge_append(struct hd_judge *j, struct object *o, const struct hd_judge_point *point);

/* The node of a thread's next operation. `fresh`: pairs may end in it; otherwise it
 * may join the node of the operation before it. NULL: full. */
struct node *hd_judge_node(struct hd_judge *j, uint32_t thread, uint64_t step, bool fresh);
struct hd_judge_point hd_judge_point_for(struct hd_judge *j, uint32_t thread, uint64_t step);
struct pair *hd_judge_pair(struct hd_judge *j, const struct hd_judge_point *from,
                           struct node *to, uint64_t in);

/* judge_torn.c. `n` is accused: was it interrupted? */
bool hd_judge_interrupted(struct hd_judge *j, struct node *n);
/* A way round that comes back to `n` after it was left, passing torn nodes only
 * forward; NULL: there is none. Its first pair leaves `n`. */
const struct way *hd_judge_way_round(struct hd_judge *j, struct node *n);

#endif

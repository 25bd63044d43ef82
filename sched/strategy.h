/* strategy.h - deciding who runs next.
 *
 * The scheduler stops at every point and asks the strategy one question: of
 * these runnable threads, which goes? Everything that makes one exploration
 * differ from another is an answer to that question, so replay, random walk,
 * depth-first search and steering toward a goal are all strategies, and the
 * scheduler has no mode flags.
 *
 * A strategy outlives a run. It is opened once, then for each run gets
 * begin_run, a pick per point, end_run; what it learns in one run it may use
 * in the next.
 *
 * Rules the scheduler relies on:
 *   (1) pick returns an id from `runnable`, or HD_PICK_STOP to end the run there.
 *   (2) Same options, same program: same picks. A strategy draws chance only
 *       from hd_rng; it reads no clock, no address, no environment.
 *   (3) pick is not called when only one thread can run: there is no choice to
 *       make (unless the ops say `every`: replay and the complete searches want
 *       every point). Step budgets count visible operations, so a lone loop
 *       ends too.
 *   (4) A thread with by_time set can run only because its deadline may pass. */
#ifndef HD_STRATEGY_H
#define HD_STRATEGY_H

#include "thread.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HD_PICK_STOP (-1)

/* What is known at a point. Borrowed: valid until pick returns. */
struct hd_choice {
    const uint16_t *runnable; /* thread ids, ascending */
    size_t count;
    int current;    /* who was running; -1 at the first step. May not be runnable */
    bool current_runnable;
    bool yielding;  /* current asked to step aside: a yield, a long run */
    bool forced;    /* not a visible operation: the run length limit */
};

/* How far a search is. Zero: cannot be said. */
struct hd_far {
    uint64_t depth; /* choices on the way that is tried at present */
    uint64_t bound; /* preemptions of the present round, + 1 */
    double share;   /* of the search that is done, a guess from what is left beside the way */
};

struct hd_share_ops;

struct hd_strategy_ops {
    const char *name; /* what --strategy takes */
    const char *help; /* one line */
    bool numbered;    /* a run follows from its number and from what is known of the data */
    bool partial;     /* running out of runs does not mean that all was seen */
    bool every;       /* wants to be asked at every point, choice or not */
    /* 0, or -1 with a message for the user in `why`. */
    int (*open)(const char *argument, char *why, size_t size);
    bool (*begin_run)(uint64_t run); /* false: nothing left to try */
    int (*pick)(const struct hd_choice *choice);
    int (*choose)(int n); /* any other choice: 0..n-1; NULL: 0 */
    void (*step)(struct hd_thread *self); /* an operation is being done; NULL: not told */
    /* it does so to this place; before the clocks know */
    void (*touch)(struct hd_thread *self, struct hd_place *place, enum hd_mode mode);
    bool (*shows)(void *pc); /* data accessed here becomes visible; NULL: nowhere */
    void (*end_run)(void);
    void (*over)(void); /* the search is; notes may be made; NULL: nothing to say */
    void (*far)(struct hd_far *far); /* between runs; NULL: cannot say */
    const struct hd_share_ops *share; /* worker.h; NULL: nothing can be done ahead */
};

/* What a strategy keeps between calls is in lasting memory, here. */
#define HD_STRATEGY_STATE(type)                                                          \
    ((type *)(hd_rt->strategy_state ? hd_rt->strategy_state : hd_strategy_state(sizeof(type))))
void *hd_strategy_state(size_t size);

extern const struct hd_strategy_ops *const hd_strategies[]; /* ended by NULL */
const struct hd_strategy_ops *hd_strategy_find(const char *spec, const char **argument);

#endif

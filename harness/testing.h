/* testing.h - the phases of `heddle test`, for one program or one of its unit tests.
 *
 * Record: a few executions under different schedules, with all checkers on their
 * traces; their warnings are the questions. Direct: each question's plans, the
 * executions that would show it. Search: the complete search; if it comes to its
 * end, every question is answered. Otherwise around each question that is still
 * open, and random schedules for the rest of the budget. Every execution of all of
 * these is judged in the same way; only a search that was complete refutes.
 *
 * The complete search gets most of the budget: nothing else can refute, and a program
 * that just fits is worth more decided than tried a little longer at random. */
#ifndef HD_TESTING_H
#define HD_TESTING_H

#include "progress.h"
#include "question.h"
#include "scratch.h"
#include "session.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct hd_testing {
    struct hd_session session;
    struct hd_questions questions;
    struct hd_scratch scratch; /* where traces pass through */
    bool want_new;       /* warnings of these traces become questions, too */
    const struct hd_child *running; /* the batch of executions that comes in */
    uint64_t restarts;   /* how often its search had begun anew, at the last execution */
    bool lost;           /* the process was, at least once */
    bool refused; /* the strategy cannot be had so */
    struct hd_error err; /* the first thing that went wrong */
    uint64_t executed, classes, events, steps, threads, shared;
    double begun;  /* by the clock on the wall */
    double start, seconds; /* of the budget: judging takes time, too; 0: it does not run yet */
    uint64_t after; /* executions that do not count against it: they are done again */
    bool timed;            /* the clock has decided what was tried */
    size_t *explains; /* failure: 1 + index of the warning that does, or 0 */
    struct hd_progress_line progress;
    double keep_at; /* when what is known is written down next, in seconds since it began */
    bool keeps;     /* it was once */
    pid_t writer;   /* who did so last */
    bool killed;    /* this is such a writer */
    size_t explained; /* failures before this one are in `explains` */
};

/* The clock begins to run; the session is open. */
void hd_testing_begin(struct hd_testing *self);
/* All phases, then every question is decided. -1: see `err`. */
int hd_testing_run(struct hd_testing *self, struct hd_child *child);
/* After the last run: ids, summary, which warning explains which failure. */
void hd_testing_finish(struct hd_testing *self);

#endif

/* child.h - the program under test, run in a process of its own.
 *
 * The runtime inside the program does the scheduling; here it is started with
 * its options, its result lines are read, and its death is noticed. Address
 * randomisation is turned off for it where the kernel lets us. Result lines are
 * described in sched/result.c. */
#ifndef HD_CHILD_H
#define HD_CHILD_H

#include "schedule.h"
#include "sched/trace/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct hd_program {
    const char *path;
    char **argv; /* argv[0] is the path; ended by NULL */
};

/* How one execution ended. Strings are valid until the callback returns. */
struct hd_ending {
    uint64_t run;      /* number of the execution */
    int status;        /* exit status, or 128 + signal */
    const char *failure; /* kind as in a verdict, or NULL */
    const char *thread;  /* who failed, or NULL */
    const char *at;      /* "[prog+0x..]", or NULL */
    const char *message;
    const char *about;    /* the circle of those who wait, or NULL */
    const char *diverged; /* why a schedule could not be followed, or NULL */
    const char *observed; /* values of heddle_observe, or "" */
    const char *output;   /* standard output where it was caught, or "" */
    size_t output_length;
    bool cut;
    uint64_t threads, events, steps, preemptions; /* of a single run */
    struct hd_schedule *schedule;
    uint64_t count; /* of executions that ended so; 1 while they are still coming */
};

struct hd_child {
    /* what to do */
    const char *strategy;
    uint64_t seed, steps, executions, first;
    double seconds;
    uint64_t after;    /* with explore: executions that do not count against `seconds` */
    bool explore;      /* many executions, snapshot in between, output caught */
    bool fork;         /* with explore: a process for each instead */
    uint64_t jobs;     /* with explore: processes that share the work; 0: one */
    uint64_t memory;   /* with explore: bytes the search may use; 0: no limit */
    unsigned telling;  /* with explore: milliseconds between calls of sofar; 0: none */
    bool each;         /* every execution is told, not only new endings */
    bool every_access, values, spurious, globals;
    const char *transactions; /* as --transactions takes it; NULL: default */
    const char *trace; /* file; with explore and each: a folder, RUN.trace in it */
    bool silent;       /* the program's own output goes nowhere (single run) */
    bool own_session;  /* leave the terminal alone */
    /* called for every ending told; false: stop the program */
    bool (*ending)(void *argument, const struct hd_ending *ending);
    bool (*note)(void *argument, const char *text);
    bool (*test)(void *argument, const char *name); /* the program has this unit test */
    void (*sofar)(void *argument); /* what came of it up to here is below */
    void *argument;
    /* what came of it */
    uint64_t told, executed, classes, events_seen, steps_seen, threads_seen, cut, blocked;
    uint64_t restarts, shared, failed;
    uint64_t depth, bound;    /* of the search, at present; 0: has none. bound: + 1 */
    double share;             /* of the search that is done, 0 to 1; 0: not known */
    bool exhausted, complete; /* complete: the child said everything it had to say */
    const char *ended_by;     /* "executions", "time", "search", "memory", "stopped", "interrupt",
                                 "lost" */
    double took;
    int died;                 /* signal, or 0 */
    bool gave_up;             /* heddle could not go on with it, and has said why */
    bool refused;             /* the strategy cannot be had so; it has said why */
    uint64_t *counts;         /* by number of ending; owned */
    size_t count_count;
};

/* 0, or -1 with err: it does not start, or was not built by heddle-cc. */
int hd_child_run(const struct hd_program *program, struct hd_child *child,
                 struct hd_error *err);
/* Once, before anything is opened: descriptors that are open are the program's. */
void hd_child_inherited(void);
void hd_child_free(struct hd_child *child);

/* " name=value" as HEDDLE_OPTIONS has it: blanks and the like as %20. */
void hd_child_option(FILE *out, const char *name, const char *value);

#endif

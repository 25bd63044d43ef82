/* verdict.h - the document that `heddle test` and `heddle explore` write.
 *
 * Inputs (program, configuration) apart from outcomes; what the words promise is
 * in the schema, docs/verdict.schema.json. The structs say what is in a file,
 * verdict_json.c how it is spelled, say.c how it is told to a person.
 *
 * Everything lives in the document's arena and dies with it; strings handed in
 * are copied by hd_verdicts_string. Schedules are owned by the document.
 *
 * Rules:
 *   (1) Nothing in it depends on addresses, on real time or on --jobs, but
 *       `seconds` and `executions_per_second`.
 *   (2) Refuted only with `exhaustive`, confirmed only with a schedule:
 *       hd_verdicts_finish stops heddle (a bug) if somebody says otherwise.
 *   (3) Ids are made by hd_verdicts_finish from what an entry is about, not from
 *       lines or order: they survive small edits of the program. */
#ifndef HD_VERDICT_H
#define HD_VERDICT_H

#include "sched/trace/error.h"
#include "schedule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define HD_VERDICT_SCHEMA 1
#define HD_VERDICT_BYTES ((size_t)1 << 30) /* the largest file that is read back */

enum hd_failure_kind {
    HD_FAILURE_ASSERTION,
    HD_FAILURE_CRASH,
    HD_FAILURE_DEADLOCK,
    HD_FAILURE_LIVELOCK,
    HD_FAILURE_EXIT,
    HD_FAILURE_MISUSE,
    HD_FAILURE_TIMEOUT,
    HD_FAILURE_KIND_COUNT
};
enum hd_verdict { HD_UNDECIDED, HD_CONFIRMED, HD_REFUTED, HD_VERDICT_COUNT };
enum hd_impact {
    HD_IMPACT_NONE,
    HD_HARMFUL,
    HD_BENIGN,
    HD_IMPACT_COUNT
}; /* NONE: null */

extern const char *const hd_failure_words[HD_FAILURE_KIND_COUNT];
extern const char *const hd_verdict_words[HD_VERDICT_COUNT];

struct hd_place {
    const char *function; /* NULL: not known */
    const char *file;
    uint32_t line; /* 0: not known */
};

struct hd_verdict_failure {
    const char *id;
    enum hd_failure_kind kind;
    const char *message;
    const char *about; /* what its id comes from (about.h), or NULL: the message */
    struct hd_place location;
    uint64_t executions; /* in how many it was seen */
    const char *test;    /* the unit test it happened in, or NULL */
    const char *warning; /* id of the warning that explains it, or NULL */
    struct hd_schedule *schedule;
};

struct hd_verdict_access {
    const char *thread;
    const char *op; /* "read", "write", "acquire", ... */
    const char *variable;
    struct hd_place place;
    const char **locks;
    size_t lock_count;
};

struct hd_evidence {
    const char *reason;
    bool exhaustive;
    uint64_t executions;
    uint64_t distinct_traces; /* undecided: at least so many of the executions really differed */
    const char *outcome; /* of the confirming execution, or NULL */
    const char **serial_outcomes;
    size_t serial_count;
    struct hd_schedule *schedule; /* or NULL */
    uint64_t found;               /* number of the execution that first showed it; 0: none did */
    const char *found_by;         /* its strategy; NULL: none did */
};

struct hd_verdict_warning {
    const char *id;
    const char *kind; /* as hd_warning_kind_word says it */
    const char **checkers;
    size_t checker_count;
    int64_t score;
    bool has_transaction;
    struct hd_place transaction;
    const char *pattern; /* or NULL */
    struct hd_verdict_access *accesses;
    size_t access_count;
    struct hd_verdict_access *raised; /* those that it was raised with, if others are shown: */
    size_t raised_count;              /* its id comes of these */
    const char *test; /* the unit test it was seen in, or NULL */
    enum hd_verdict verdict;
    enum hd_impact impact;
    bool quiet; /* it turned out to be nothing worth an entry: a note says so */
    struct hd_evidence evidence;
};

struct hd_verdict_outcome {
    const char *outcome;
    uint64_t executions;
};

struct hd_verdict_summary {
    uint64_t failures, confirmed_harmful, confirmed_benign, confirmed_unknown, refuted,
        undecided;
};

struct hd_arena;

struct hd_verdicts {
    struct hd_arena *arena;

    const char *path; /* of the program */
    const char **arguments;
    size_t argument_count;
    const char *build_id; /* or NULL */

    uint64_t seed;
    const char *strategy;
    uint64_t budget; /* --executions */
    const char **checkers;
    size_t checker_count;
    const char *transactions;
    double time; /* --time */
    uint64_t steps;
    const char *isolate;
    const char **observe;
    size_t observe_count;
    bool spurious_wakeups;
    const char *record; /* --record, or NULL: the standard */
    const char *filter; /* --filter, or NULL */

    struct hd_verdict_failure *failures;
    size_t failure_count;
    struct hd_verdict_warning *warnings;
    size_t warning_count;
    const char **notes;
    size_t note_count;
    struct hd_verdict_outcome *outcomes;
    size_t outcome_count;

    uint64_t executions, distinct_traces;
    bool exhausted;
    const char *ended_by; /* "complete", "executions", "time", "failure", ... */
    const char *bound;    /* what a bounded search did exhaust, or NULL */
    uint64_t events, threads, scheduling_points, shared_accesses;
    double seconds;

    struct hd_verdict_summary summary; /* by hd_verdicts_finish */

    size_t failure_room, warning_room, note_room, outcome_room; /* private */
};

struct hd_verdicts *hd_verdicts_new(void); /* NULL: out of memory */
void hd_verdicts_free(struct hd_verdicts *doc);

const char *hd_verdicts_string(struct hd_verdicts *doc,
                               const char *text); /* NULL stays NULL */
const char *hd_verdicts_print_string(struct hd_verdicts *doc, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
const char **hd_verdicts_strings(struct hd_verdicts *doc, const char *const *texts,
                                 size_t count);
void *hd_verdicts_array(struct hd_verdicts *doc, size_t count, size_t size); /* zeroed */

/* A zeroed entry at the end; valid until the next one is added. */
struct hd_verdict_failure *hd_verdicts_failure(struct hd_verdicts *doc);
struct hd_verdict_warning *hd_verdicts_warning(struct hd_verdicts *doc);
void hd_verdicts_outcome(struct hd_verdicts *doc, const char *outcome,
                         uint64_t executions);
void hd_verdicts_note(struct hd_verdicts *doc, const char *format, ...)
    __attribute__((format(printf, 2, 3))); /* the same text is kept once */

/* The search under this strategy came to its end: if it is one within a bound, that
 * is no complete one, but more than a budget that ran out. */
void hd_verdicts_bound(struct hd_verdicts *doc, const char *strategy);

/* Ids (rule 3), summary, and the promises of rule (2). Call once, before writing. */
void hd_verdicts_finish(struct hd_verdicts *doc);
/* After it: quiet warnings are not in the file. */
void hd_verdicts_hush(struct hd_verdicts *doc);

/* Is it in the baseline, and no worse than it was there? (baseline: NULL, none) */
bool hd_verdicts_known(const struct hd_verdicts *baseline, const struct hd_verdict_warning *warning);
/* 0, or 1 if a failure or a harmful warning is in it that `baseline` (or NULL)
 * does not know. Without a baseline: any. */
int hd_verdicts_status(const struct hd_verdicts *doc, const struct hd_verdicts *baseline);

const struct hd_verdict_warning *hd_verdicts_find_warning(const struct hd_verdicts *doc,
                                                          const char *id);
const struct hd_verdict_failure *hd_verdicts_find_failure(const struct hd_verdicts *doc,
                                                          const char *id);
/* The schedule of an entry; NULL with err: no such entry (with a suggestion), or
 * it has no schedule. */
const struct hd_schedule *hd_verdicts_schedule(const struct hd_verdicts *doc,
                                               const char *id, struct hd_error *err);

/* ---- verdict_json.c ----------------------------------------------------- */

int hd_verdicts_write(const struct hd_verdicts *doc, const char *path,
                      struct hd_error *err);
int hd_verdicts_print(const struct hd_verdicts *doc, FILE *out, struct hd_error *err);
/* Refuses what does not follow the schema; the message names file and place. */
struct hd_verdicts *hd_verdicts_read(const char *path, struct hd_error *err);

#endif

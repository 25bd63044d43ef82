/* option.h - the options of every command, as tables.
 *
 * A command lists the tables it understands, each with the struct that it
 * fills; the parser, the defaults, the help text and the messages all come from
 * the tables.
 *
 * Rules:
 *   (1) Options stop at the first argument that is not one, because what
 *       follows belongs to the program: `heddle run --seed 4 ./prog -x`. A
 *       command that takes files and no program (`mixed`) accepts options after
 *       them too. `--` ends options for both.
 *   (2) `--name value`, `--name=value`, `-n value`, `-nvalue`. The last one of
 *       an option given twice counts.
 *   (3) Every value is checked before the command does anything at all.
 *   (4) The first match counts when two tables have an option of one name: a
 *       command's own table comes first. */
#ifndef HD_OPTION_H
#define HD_OPTION_H

#include "sched/trace/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What an option stores, and as which type. */
enum hd_option_kind {
    HD_OPTION_FLAG,    /* bool */
    HD_OPTION_NUMBER,  /* uint64_t, within least..most */
    HD_OPTION_SIZE,    /* uint64_t; K, M, G behind the number multiply it */
    HD_OPTION_SECONDS, /* double; a decimal fraction, within least..most */
    HD_OPTION_TEXT,    /* const char *, borrowed from argv; `check` may refuse it */
    HD_OPTION_CHOICE,  /* unsigned: index into `words` */
    HD_OPTION_LIST,    /* unsigned: a bit for each of `words` */
};

struct hd_option {
    const char *name; /* without dashes; NULL ends a table */
    char letter;      /* 0: no short form */
    uint8_t kind;
    uint8_t groups;       /* who wants it: enum hd_option_group; 0: everybody */
    const char *argument; /* what help calls the value */
    const char *standard; /* the default, as one would type it; NULL: none.
                             In round brackets: words for help only, stores nothing */
    const char *help;     /* one line, or lines */
    size_t offset;        /* into the target struct */
    uint64_t least, most; /* numbers; most 0: no upper end */
    const char *const *words;
    int (*check)(const char *text, struct hd_error *err);
};

struct hd_option_set {
    const struct hd_option *options; /* NULL ends an array of sets */
    void *target;
    unsigned groups; /* only options that share a bit; 0: all */
};

struct hd_usage {
    const char *verb;     /* "run" */
    const char *operands; /* "PROG [ARGS...]" */
    const char *about;    /* what it does: a line or a paragraph */
    const struct hd_option_set *sets;
    bool mixed; /* rule (1) */
};

enum { HD_OPTIONS_GO_ON = -1 };

/* Set defaults, read argv[1..]. HD_OPTIONS_GO_ON, with `*first` the index of the
 * first operand; or the exit status to return at once: help was printed, or a
 * message. */
int hd_options_read(const struct hd_usage *usage, int argc, char **argv, int *first);

/* The same without printing: -1 and `err`, or the index of the first operand.
 * `*help` is set when --help was met, and reading stops there. */
int hd_options_parse(const struct hd_usage *usage, int argc, char **argv, bool *help,
                     struct hd_error *err);
void hd_options_help(const struct hd_usage *usage, FILE *out);

/* Numbers, strictly: digits only, nothing behind them, no overflow. */
bool hd_number_read(const char *text, uint64_t *out);
bool hd_decimal_read(const char *text, double *out);

/* ---- what the commands share (CONTRACT: options of every command) ------- */

enum hd_option_group {
    HD_GROUP_RUN = 1,    /* runs a program */
    HD_GROUP_SEARCH = 2, /* runs it many times */
    HD_GROUP_CHECK = 4,  /* uses the checkers */
    HD_GROUP_REPORT = 8, /* writes verdicts */
    HD_GROUP_TALK = 16,  /* speaks on standard error */
    HD_GROUP_DECIDE = 32, /* runs the program to decide what the checkers say */
};

enum hd_isolate { HD_ISOLATE_SNAPSHOT, HD_ISOLATE_FORK };
enum hd_progress { HD_PROGRESS_AUTO, HD_PROGRESS_ALWAYS, HD_PROGRESS_NEVER };
enum hd_observe {
    HD_OBSERVE_EXIT = 1,
    HD_OBSERVE_STDOUT = 2,
    HD_OBSERVE_VALUES = 4,
    HD_OBSERVE_GLOBALS = 8,
};

#define HD_STEPS_STANDARD 1000000 /* --steps, when it is not given */
#define HD_RECORD_STANDARD "round-robin,random*3,surw*3,pct:3*3"

struct hd_options {
    uint64_t seed;
    const char *strategy; /* NULL: the command's own choice */
    uint64_t executions;
    double time; /* seconds */
    uint64_t steps;
    uint64_t jobs;        /* 0: as many as hd_options_jobs says */
    unsigned isolate;     /* enum hd_isolate */
    const char *checkers; /* NULL: all that apply */
    const char *transactions;
    const char *record; /* read by hd_recording_next; HD_RECORD_STANDARD if not given */
    unsigned observe; /* enum hd_observe */
    const char *out;  /* NULL: results/PROG.json */
    bool json, brief, quiet, no_color;
    unsigned progress; /* enum hd_progress */
    bool spurious_wakeups;
    uint64_t memory; /* bytes the search itself may use */
    const char *resume, *baseline;
    const char *trace, *schedule; /* files to keep them in */
    const char *filter;
    bool every_access, values;
};

extern const struct hd_option hd_common_options[];

/* --time 0: as long as it takes. */
#define HD_TIME_MOST 31536000
void hd_options_unlimited(struct hd_options *options);

/* --jobs, or the number of cores this process may use. */
uint64_t hd_options_jobs(const struct hd_options *options);

#endif

/* option_common.c - the options that the commands share, once.
 *
 * A command takes the groups it has a use for; the meaning of an option is the
 * same in all of them. */
#define _GNU_SOURCE
#include "option.h"

#include "checkers/run.h"
#include "strategies.h"
#include "suggest.h"

#include <sched.h>
#include <string.h>

static const char *const isolates[] = {"snapshot", "fork", NULL};
static const char *const progresses[] = {"auto", "always", "never", NULL};
static const char *const observables[] = {"exit", "stdout", "values", "globals", NULL};

static int transactions_check(const char *text, struct hd_error *err) {
    static const char *const policies[] = {"default", "annotated", "functions", "regions",
                                           "none"};
    struct hd_suggestion near = hd_suggestion_for(text);
    if (text[0] == '@' && text[1] != '\0') return 0;
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        if (strcmp(policies[i], text) == 0) return 0;
        hd_suggestion_offer(&near, policies[i]);
    }
    if (near.best) {
        hd_fail(err, 0, "no such policy; there is %s", near.best);
    } else {
        hd_fail(err, 0, "expected default, annotated, functions, regions, none or @FILE");
    }
    return -1;
}

static int not_empty(const char *text, struct hd_error *err) {
    if (*text) return 0;
    hd_fail(err, 0, "expected a name");
    return -1;
}

/* NAME[:ARG][*N],... */
static int record_check(const char *text, struct hd_error *err) {
    struct hd_recording next;
    while (*text) {
        if (hd_recording_next(&text, &next, err) < 0) return -1;
    }
    return 0;
}

#define AT(field) .offset = offsetof(struct hd_options, field)

const struct hd_option hd_common_options[] = {
    {"seed", 0, HD_OPTION_NUMBER, HD_GROUP_RUN, "N", "1", "seed of every random choice",
     AT(seed), .most = INT64_MAX},
    {"strategy", 0, HD_OPTION_TEXT, HD_GROUP_RUN, "NAME[:ARG]",
     "(default: the command's own)", "how schedules are chosen; heddle list strategies",
     AT(strategy), .check = hd_strategy_check},
    {"executions", 0, HD_OPTION_NUMBER, HD_GROUP_SEARCH, "N", "10000",
     "budget of executions", AT(executions), .least = 1},
    {"time", 0, HD_OPTION_SECONDS, HD_GROUP_SEARCH, "SECONDS", "60",
     "budget of time; whichever ends first. 0: no limit", AT(time), .most = HD_TIME_MOST},
    {"steps", 0, HD_OPTION_NUMBER, HD_GROUP_RUN, "N", "1000000",
     "visible operations in one execution", AT(steps), .least = 1},
    {"jobs", 'j', HD_OPTION_NUMBER, HD_GROUP_SEARCH, "N", "(default: number of cores)",
     "parallel workers; the result does not depend on it", AT(jobs), .least = 1,
     .most = 1024},
    {"isolate", 0, HD_OPTION_CHOICE, HD_GROUP_RUN, "HOW", "snapshot",
     "how the program's state is reset: snapshot or fork", AT(isolate),
     .words = isolates},
    {"checkers", 0, HD_OPTION_TEXT, HD_GROUP_CHECK, "LIST", "(default: all that apply)",
     "which checkers, with their switches:\nblocks:theorem=5,races; heddle list checkers",
     AT(checkers), .check = hd_check_list},
    {"transactions", 0, HD_OPTION_TEXT, HD_GROUP_CHECK, "POLICY", "default",
     "what is expected to be atomic: default, annotated,\nfunctions, regions, none or "
     "@FILE",
     AT(transactions), .check = transactions_check},
    {"record", 0, HD_OPTION_TEXT, HD_GROUP_DECIDE, "LIST", HD_RECORD_STANDARD,
     "schedules of the executions whose traces are checked:\nstrategies, each with how many",
     AT(record), .check = record_check},
    {"observe", 0, HD_OPTION_LIST, HD_GROUP_SEARCH, "LIST", "exit,stdout,values",
     "what an outcome is made of:\nexit, stdout, values, globals", AT(observe),
     .words = observables},
    {"spurious-wakeups", 0, HD_OPTION_FLAG, HD_GROUP_RUN, NULL, NULL,
     "a condition wait may also end by itself", AT(spurious_wakeups)},
    {"memory", 0, HD_OPTION_SIZE, HD_GROUP_SEARCH, "SIZE", "1G",
     "what the search itself may use", AT(memory), .least = 1 << 20},
    {"resume", 0, HD_OPTION_TEXT, HD_GROUP_SEARCH, "FILE", NULL,
     "go on where the verdicts in FILE stopped", AT(resume), .check = not_empty},
    {"baseline", 0, HD_OPTION_TEXT, HD_GROUP_DECIDE, "FILE", NULL,
     "warnings in FILE are known and do not fail the run", AT(baseline),
     .check = not_empty},
    {"filter", 0, HD_OPTION_TEXT, HD_GROUP_SEARCH, "TEXT", NULL,
     "only unit tests whose name contains TEXT", AT(filter), .check = not_empty},
    {"trace", 0, HD_OPTION_TEXT, HD_GROUP_RUN, "FILE", NULL,
     "keep the trace of the execution in FILE", AT(trace), .check = not_empty},
    {"schedule", 0, HD_OPTION_TEXT, HD_GROUP_RUN, "FILE", NULL,
     "keep its schedule in FILE", AT(schedule), .check = not_empty},
    {"every-access", 0, HD_OPTION_FLAG, HD_GROUP_RUN, NULL, NULL,
     "record also accesses that no checker can tell apart", AT(every_access)},
    {"values", 0, HD_OPTION_FLAG, HD_GROUP_RUN, NULL, NULL,
     "record the values that accesses saw", AT(values)},
    {"out", 'o', HD_OPTION_TEXT, HD_GROUP_REPORT, "FILE", "(default: results/PROG.json)",
     "where the verdicts go", AT(out), .check = not_empty},
    {"json", 0, HD_OPTION_FLAG, HD_GROUP_REPORT | HD_GROUP_CHECK, NULL, NULL,
     "the same JSON on standard output", AT(json)},
    {"brief", 0, HD_OPTION_FLAG, HD_GROUP_REPORT, NULL, NULL,
     "only the worst of what was found, in two lines on standard\noutput; a file only if "
     "there is something",
     AT(brief)},
    {"quiet", 'q', HD_OPTION_FLAG, HD_GROUP_TALK, NULL, NULL,
     "nothing on standard error but errors", AT(quiet)},
    {"no-color", 0, HD_OPTION_FLAG, HD_GROUP_TALK, NULL, NULL,
     "no colour, even on a terminal", AT(no_color)},
    {"progress", 0, HD_OPTION_CHOICE, HD_GROUP_TALK, "WHEN", "auto",
     "the progress line: auto, always or never", AT(progress), .words = progresses},
    {.name = NULL},
};

void hd_options_unlimited(struct hd_options *options) {
    if (options->time == 0) options->time = HD_TIME_MOST;
}

uint64_t hd_options_jobs(const struct hd_options *options) {
    cpu_set_t cores;
    if (options->jobs) return options->jobs;
    if (sched_getaffinity(0, sizeof cores, &cores) < 0) return 1;
    return (uint64_t)CPU_COUNT(&cores);
}

/* cmd_replay.c - `heddle replay`: the witness of a verdict, once more.
 *
 * FILE#ID names an entry of a verdict file; the program and its arguments are in
 * the file too. A schedule file alone needs the program behind it. The execution
 * is the same one if every choice could be followed to its end and its own
 * schedule, written down again, is the one that was asked for. */
#define _GNU_SOURCE
#include "command.h"
#include "debug.h"
#include "interleaving.h"
#include "say.h"
#include "session.h"
#include "temporary.h"
#include "unit.h"
#include "witness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct replay {
    struct hd_session session;
    const struct hd_schedule *wanted;
    const struct hd_verdict_failure *failure; /* the entry, if it is one */
    const struct hd_verdict_warning *warning;
    bool failed, diverged, differs;
    bool anew;      /* the program is not the one of the verdict file */
    char gone[512]; /* what that does not do any more; "": nothing is known of that */
    struct hd_error err; /* of keeping the schedule */
    char message[2048];
};

/* Up to where the shorter of them was cut. */
static bool alike(const struct hd_schedule *a, const struct hd_schedule *b) {
    size_t steps = a->step_count < b->step_count ? a->step_count : b->step_count;
    size_t values = a->value_count < b->value_count ? a->value_count : b->value_count;
    for (size_t i = 0; i < steps; i++) {
        if ((a->steps[i].events != b->steps[i].events && i + 1 < steps) ||
            strcmp(a->threads[a->steps[i].thread], b->threads[b->steps[i].thread]) != 0) {
            return false;
        }
    }
    return values == 0 || memcmp(a->values, b->values, values * sizeof *a->values) == 0;
}

static bool equal(const struct hd_schedule *a, const struct hd_schedule *b) {
    if (a->step_count != b->step_count || a->value_count != b->value_count) return false;
    size_t last = a->step_count;
    return alike(a, b) && (last == 0 || a->steps[last - 1].events == b->steps[last - 1].events);
}

/* A program that was built anew may follow the schedule and do something else. */
static void look_for_failure(struct replay *self, const struct hd_ending *ending) {
    const char *kind = ending->failure ? ending->failure : ending->status ? "exit" : NULL;
    if (!self->failure || !self->anew) return;
    hd_witness_fails(self->failure, kind, hd_session_place(&self->session, ending).function,
                     self->gone, sizeof self->gone);
}

static bool take_ending(void *argument, const struct hd_ending *ending) {
    struct replay *self = argument;
    if (ending->diverged) {
        self->diverged = true;
        snprintf(self->message, sizeof self->message, "%s", ending->diverged);
        return true;
    }
    /* Where one that does not end was left depends on who looked at the clock or how long
     * it had been running, where a stack is full on what heddle itself has put on top. */
    bool endless = ending->cut || (ending->failure && strcmp(ending->failure, "timeout") == 0) ||
                   (ending->failure && strncmp(ending->message, "stack overflow", 14) == 0) ||
                   (ending->failure && strstr(ending->message, " goes round without end "));
    self->differs = endless ? !alike(self->wanted, ending->schedule)
                            : !equal(self->wanted, ending->schedule);
    look_for_failure(self, ending);
    const char *keep = self->session.options->schedule;
    if (keep) hd_schedule_write_json(ending->schedule, keep, &self->err);
    if (ending->failure) {
        self->failed = true;
        struct hd_place place = hd_session_place(&self->session, ending);
        char where[512] = "";
        if (place.file) snprintf(where, sizeof where, " at %s:%u", place.file, place.line);
        snprintf(self->message, sizeof self->message, "%s in thread %s%s: %s", ending->failure,
                 ending->thread ? ending->thread : "?", where,
                 hd_session_text(&self->session, ending->message));
    } else if (ending->cut) {
        self->failed = true;
        snprintf(self->message, sizeof self->message,
                 "timeout: the execution was cut before its end (--steps)");
    } else {
        self->failed = ending->status != 0;
        snprintf(self->message, sizeof self->message, "exit status %d", ending->status);
    }
    return true;
}

static int run(struct replay *self, const struct hd_options *options, struct hd_error *err) {
    struct hd_temporary schedule = {0}, passing = {0};
    int rc = -1;
    if (hd_temporary_schedule(&schedule, self->wanted, err) < 0) goto out;
    if (!options->trace && hd_temporary_open(&passing, "trace", err) < 0) goto out;
    const char *trace = options->trace ? options->trace : passing.path;
    struct hd_child child = {
        .strategy = schedule.strategy,
        .seed = options->seed,
        .steps = options->steps,
        .trace = trace,
        .every_access = options->every_access,
        .transactions = options->transactions,
        .values = options->values,
        .spurious = options->spurious_wakeups,
        .ending = take_ending,
        .argument = self,
    };
    fflush(stdout);
    if (hd_child_run(&self->session.program, &child, err) < 0) goto out;
    if (child.told == 0) {
        hd_fail(err, 0, "the program was lost (signal %d)", child.died);
        goto out;
    }
    if (self->err.text[0]) {
        *err = self->err;
        goto out;
    }
    if (!self->diverged) {
        if (hd_names_apply(trace, NULL, 0, err) < 0) goto out;
        if (self->warning && self->anew &&
            !hd_witness_accesses(self->warning, trace, self->gone, sizeof self->gone, err) &&
            err->text[0]) {
            goto out;
        }
        if (hd_interleaving_print(trace, stdout, hd_say_color(stdout, options->no_color), err) < 0) {
            goto out;
        }
    }
    rc = 0;

out:
    hd_temporary_drop(&schedule);
    hd_temporary_drop(&passing);
    return rc;
}

/* An entry that a unit test of the program made is run as that test. */
static void choose_entry(struct replay *self, const struct hd_verdicts *doc, const char *id) {
    self->failure = hd_verdicts_find_failure(doc, id);
    self->warning = hd_verdicts_find_warning(doc, id);
    const char *test = self->failure   ? self->failure->test
                       : self->warning ? self->warning->test
                                       : NULL;
    if (test) hd_unit_choose(test);
}

/* The program of a verdict file, as argv. */
static char **argv_of(const struct hd_verdicts *doc) {
    char **argv = calloc(doc->argument_count + 2, sizeof *argv);
    if (!argv) abort();
    argv[0] = (char *)doc->path;
    for (size_t i = 0; i < doc->argument_count; i++) argv[i + 1] = (char *)doc->arguments[i];
    return argv;
}

static bool is_verdict_file(const char *path) {
    char head[256] = "";
    FILE *file = fopen(path, "r");
    if (!file) return false;
    size_t n = fread(head, 1, sizeof head - 1, file);
    fclose(file);
    head[n] = '\0';
    return strstr(head, "\"heddle\"") != NULL;
}

struct own {
    bool gdb;
};

static const struct hd_option own_options[] = {
    {.name = "gdb",
     .kind = HD_OPTION_FLAG,
     .offset = offsetof(struct own, gdb),
     .help = "under gdb: the same schedule, as slowly as you like"},
    {.name = NULL},
};

int hd_cmd_replay(int argc, char **argv) {
    struct hd_options options = {0};
    struct own mine = {0};
    struct hd_usage usage = {
        .verb = "replay",
        .operands = "FILE[#ID] [PROG ARGS...]",
        .about = "Run the witness of a verdict, or a schedule file with its program, again.",
        .sets = (const struct hd_option_set[]){
            {own_options, &mine, 0},
            {hd_common_options, &options, HD_GROUP_RUN | HD_GROUP_TALK},
            {0}},
    };
    int first;
    int rc = hd_options_read(&usage, argc, argv, &first);
    if (rc != HD_OPTIONS_GO_ON) return rc;
    struct hd_error err = {0};
    struct replay self = {0};
    struct hd_verdicts *doc = NULL;
    struct hd_schedule *read = NULL;
    char **program = NULL;
    char path[4096] = "";
    if (first >= argc) {
        fprintf(stderr, "heddle: which file? (heddle help replay)\n");
        return HD_EXIT_USAGE;
    }
    snprintf(path, sizeof path, "%s", argv[first]);
    char *id = strrchr(path, '#');
    if (id) *id++ = '\0';
    rc = HD_EXIT_USAGE;
    if (is_verdict_file(path)) {
        doc = hd_verdicts_read(path, &err);
        if (!doc) goto out;
        if (!id) {
            hd_fail(&err, 0, "%s holds several schedules; say which: %s#ID", path, path);
            goto out;
        }
        self.wanted = hd_verdicts_schedule(doc, id, &err);
        if (!self.wanted) goto out;
        choose_entry(&self, doc, id);
        program = argv_of(doc);
        options.spurious_wakeups = doc->spurious_wakeups;
        if (options.steps == HD_STEPS_STANDARD) options.steps = doc->steps;
    } else {
        self.wanted = read = hd_schedule_open(path, &err);
        if (!read) goto out;
        if (first + 1 >= argc) {
            hd_fail(&err, 0, "%s is a schedule; say which program it is of: heddle replay %s PROG",
                    path, path);
            goto out;
        }
        program = argv + first + 1;
    }
    int count = 0;
    while (program[count]) count++;
    rc = HD_EXIT_CANNOT;
    if (mine.gdb) {
        if (hd_debug(program, self.wanted, &options, &err) == 0) rc = HD_EXIT_CLEAN;
        goto out;
    }
    if (hd_session_open(&self.session, &options, program, count, "replay") < 0) goto out;
    self.anew = doc && doc->build_id && self.session.doc->build_id &&
                strcmp(doc->build_id, self.session.doc->build_id) != 0;
    if (run(&self, &options, &err) < 0) goto out;
    if (self.diverged || self.differs || self.gone[0]) {
        hd_fail(&err, 0, "this is not the same execution: %s%s",
                self.diverged  ? self.message
                : self.gone[0] ? self.gone
                               : "it went on differently after the schedule",
                self.anew ? "; the program was built anew since" : "");
        goto out;
    }
    if (self.anew && !options.quiet) {
        fprintf(stderr, "heddle: the program was built anew since; the schedule still fits\n");
    }
    printf("%s\n", self.message);
    rc = self.failed ? HD_EXIT_FOUND : HD_EXIT_CLEAN;

out:
    if (err.text[0]) fprintf(stderr, "heddle: %s\n", err.text);
    if (doc) free(program);
    if (self.session.book) hd_session_close(&self.session);
    hd_verdicts_free(doc);
    hd_schedule_free(read);
    return rc;
}

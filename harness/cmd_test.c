/* cmd_test.c - `heddle test`: every warning ends confirmed, refuted or undecided.
 *
 * Record: a few executions under different schedules, with all checkers on their
 * traces; their warnings are the questions. Direct: each question's plans, the
 * executions that would show it. Search: the complete search; if it comes to its
 * end, every question is answered. Otherwise around each question that is still
 * open, and random schedules for the rest of the budget. Every execution of all of
 * these is judged in the same way; only a search that was complete refutes.
 *
 * A program with unit tests is as many programs as it has tests; they share the
 * budget and the document. */
#define _GNU_SOURCE
#include "command.h"
#include "confirm.h"
#include "interrupt.h"
#include "progress.h"
#include "question.h"
#include "resume.h"
#include "scratch.h"
#include "session.h"
#include "strategies.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LITTLE 0.05   /* seconds that are not worth starting a process for */
#define FIRST_PLANS 8 /* of each question, before the complete search */
#define KEEP 5 /* seconds between two files of what is known so far */

static double wall_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

struct testing {
    struct hd_session session;
    struct hd_questions questions;
    struct hd_scratch scratch; /* where traces pass through */
    bool want_new;       /* warnings of these traces become questions, too */
    bool lost;           /* the process was, at least once */
    struct hd_error err; /* the first thing that went wrong */
    uint64_t executed, classes, events, steps, threads, shared;
    double start, seconds; /* by the clock on the wall: judging takes time, too */
    bool timed;            /* the clock has decided what was tried */
    size_t *explains; /* failure: 1 + index of the warning that does, or 0 */
    struct hd_progress_line progress;
    time_t keep_at; /* when what is known is written down next */
    pid_t writer;   /* who did so last */
    bool killed;    /* this is such a writer */
    size_t explained; /* failures before this one are in `explains` */
};

static bool take_note(void *argument, const char *text) {
    struct testing *self = argument;
    hd_verdicts_note(self->session.doc, "%s", hd_session_text(&self->session, text));
    return true;
}

static void decide(struct testing *self, const struct hd_child *search, bool complete);
static void finish(struct testing *self);

static void keep(struct testing *self) {
    static const struct hd_child none = {.ended_by = "interrupt"};
    if (!hd_session_copy(&self->writer)) return;
    self->killed = true;
    decide(self, &none, false);
    finish(self);
    _exit(hd_verdicts_write(self->session.doc, self->session.out, &self->err) < 0);
}

static void pass_time(struct testing *self) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const struct hd_far far = {
        .executions = self->questions.judged,
        .of = self->session.options->executions,
        .distinct = self->classes,
        .failed = self->session.doc->failure_count,
        .time = self->session.options->time,
    };
    hd_progress_show(&self->progress, &far);
    if (now.tv_sec < self->keep_at) return;
    if (self->keep_at) keep(self);
    self->keep_at = now.tv_sec + KEEP;
}

static bool take_ending(void *argument, const struct hd_ending *ending) {
    struct testing *self = argument;
    char path[256];
    snprintf(path, sizeof path, "%s/%llu.trace", self->scratch.path, (unsigned long long)ending->run);
    int rc = 0;
    if (self->want_new) {
        char note[512] = "";
        rc = hd_names_apply(path, note, sizeof note, &self->err);
        if (rc == 0 && note[0]) hd_verdicts_note(self->session.doc, "%s", note);
        if (rc == 0) {
            rc = hd_questions_add(&self->questions, path, self->session.options->checkers,
                                  &self->err);
        }
    }
    if (rc == 0) rc = hd_questions_judge(&self->questions, path, ending, false, &self->err);
    if (rc > 0) { /* something happened that no checker had predicted */
        rc = hd_names_apply(path, NULL, 0, &self->err);
        if (rc == 0) rc = hd_questions_add(&self->questions, path, HD_JUDGES, &self->err);
        if (rc == 0) rc = hd_questions_judge(&self->questions, path, ending, true, &self->err);
    }
    unlink(path);
    if (rc == 0) pass_time(self);
    return rc == 0;
}

/* One batch of executions under one strategy. */
static int explore(struct testing *self, const char *strategy, uint64_t executions,
                   uint64_t first, double seconds, struct hd_child *child) {
    const struct hd_options *options = self->session.options;
    hd_child_free(child);
    child->exhausted = false;
    if (hd_interrupted()) return 0; /* what is known is written */
    self->questions.strategy = hd_verdicts_string(
        self->session.doc, strncmp(strategy, "goal:", 5) == 0 ? "goal" : strategy);
    *child = (struct hd_child){
        .strategy = strategy,
        .seed = options->seed,
        .steps = options->steps,
        .executions = executions,
        .first = first,
        .seconds = seconds,
        .explore = true,
        .fork = options->isolate == HD_ISOLATE_FORK,
        .jobs = hd_options_jobs(options),
        .memory = options->memory,
        .each = true,
        .trace = self->scratch.path,
        .spurious = options->spurious_wakeups,
        .transactions = options->transactions,
        .globals = options->observe & HD_OBSERVE_GLOBALS,
        .ending = take_ending,
        .note = take_note,
        .argument = self,
    };
    if (hd_child_run(&self->session.program, child, &self->err) < 0) return -1;
    if (self->err.text[0]) return -1;
    self->executed += child->told; /* those before a restart were judged, too */
    self->classes = child->classes > self->classes ? child->classes : self->classes;
    self->events += child->events_seen;
    self->steps += child->steps_seen;
    if (child->threads_seen > self->threads) self->threads = child->threads_seen;
    if (child->shared > self->shared) self->shared = child->shared;
    self->seconds = wall_clock() - self->start;
    self->timed = self->timed || (child->ended_by && strcmp(child->ended_by, "time") == 0);
    if (!child->complete && !self->err.text[0] && !hd_interrupted()) {
        self->lost = true;
        hd_verdicts_note(self->session.doc,
                         "the process under test was lost (signal %d) under %s", child->died,
                         strategy);
    }
    return 0;
}

static void fill_statistics(struct testing *self, const struct hd_child *search, bool complete) {
    struct hd_verdicts *doc = self->session.doc;
    doc->executions = self->executed;
    doc->distinct_traces = self->classes;
    doc->exhausted = complete;
    doc->ended_by = self->lost         ? "lost"
                    : hd_interrupted() || self->killed ? "interrupt"
                    : self->timed      ? "time"
                    : complete         ? "complete"
                                       : "executions";
    doc->events = self->events;
    doc->threads = self->threads;
    doc->scheduling_points = self->steps;
    doc->shared_accesses = self->shared;
    doc->seconds = self->seconds;
    if (self->threads <= 1 && !self->session.test && !self->lost) {
        hd_verdicts_note(doc, "the program has no second thread: nothing was explored");
    }
    if (search->cut) {
        hd_verdicts_note(doc, "%llu executions were cut at --steps: the search is not complete",
                         (unsigned long long)search->cut);
    }
}

/* A failure is explained by the first warning that does harm where it came. The ids of
 * warnings are known only when the document is finished: until then, their indices. */
static void note_explanations(struct testing *self) {
    struct hd_verdicts *doc = self->session.doc;
    self->explains = realloc(self->explains, (doc->failure_count + 1) * sizeof *self->explains);
    if (!self->explains) abort();
    for (size_t i = self->explained; i < doc->failure_count; i++) {
        self->explains[i] = 0;
        for (size_t k = 0; !self->explains[i] && k < self->questions.count; k++) {
            const struct hd_question *question = &self->questions.list[k];
            if (doc->warnings[question->entry].impact == HD_HARMFUL &&
                hd_outcomes_has(&question->failures, (uint32_t)i)) {
                self->explains[i] = question->entry + 1;
            }
        }
    }
    self->explained = doc->failure_count;
}

static void decide(struct testing *self, const struct hd_child *search, bool complete) {
    hd_questions_decide(&self->questions, complete, self->questions.judged, self->classes);
    fill_statistics(self, search, complete);
    note_explanations(self);
}

static void finish(struct testing *self) {
    struct hd_verdicts *doc = self->session.doc;
    hd_verdicts_finish(doc);
    self->session.finished = true;
    for (size_t i = 0; i < doc->failure_count; i++) {
        if (self->explains[i]) doc->failures[i].warning = doc->warnings[self->explains[i] - 1].id;
    }
}

/* A share of what is left of the budget; 0: there is nothing left. */
static int spend(struct testing *self, const char *strategy, uint64_t first, double share,
                 struct hd_child *child) {
    const struct hd_options *options = self->session.options;
    double left = options->time - self->seconds;
    child->exhausted = false; /* what an earlier batch came to says nothing of this one */
    self->timed = self->timed || left <= LITTLE;
    if (self->executed >= options->executions || left <= LITTLE) return 0;
    uint64_t most = options->executions - self->executed;
    uint64_t executions = (uint64_t)((double)most * share) + 1;
    if (executions > most) executions = most;
    return explore(self, strategy, executions, first, left * share, child);
}

/* Different schedules cover different code; their traces raise the questions. */
static int record(struct testing *self, struct hd_child *child) {
    const struct hd_options *options = self->session.options;
    const char *rest = options->record;
    struct hd_recording each;
    uint64_t start = self->executed, share = (options->executions - start + 1) / 2;
    self->want_new = true;
    self->threads = 0;
    while (*rest && self->threads != 1 && !hd_interrupted()) { /* one thread: one schedule */
        uint64_t done = self->executed - start;
        double left = options->time - self->seconds;
        self->timed = self->timed || (done && left <= LITTLE);
        if (done && (done >= share || left <= LITTLE)) break;
        if (hd_recording_next(&rest, &each, &self->err) < 0) return -1;
        if (each.executions > share - done) each.executions = share > done ? share - done : 1;
        if (explore(self, each.strategy, each.executions, 0, done ? left * 0.1 : left, child) < 0) {
            return -1;
        }
    }
    self->want_new = false;
    return 0;
}

/* Plans first: the executions that would show what was flagged. Batches grow, since
 * most questions are answered by their first plans. */
static int direct(struct testing *self, uint32_t most, struct hd_child *child) {
    const struct hd_options *options = self->session.options;
    char path[128], strategy[160];
    snprintf(path, sizeof path, "%s/goals", self->scratch.path);
    snprintf(strategy, sizeof strategy, "goal:%s", path);
    uint64_t stop = self->executed + (options->executions - self->executed) / 4;
    double until = self->seconds + (options->time - self->seconds) / 4;
    for (uint32_t each = 1, done = 0; done < most; done += each, each *= done > 1 ? 2 : 1) {
        self->timed = self->timed || self->seconds >= until;
        if (self->executed >= stop || self->seconds >= until || hd_interrupted()) return 0;
        int goals = hd_confirm_batch(&self->questions, each, path, &self->err);
        if (goals <= 0) return goals;
        uint64_t left = stop - self->executed;
        if (explore(self, strategy, (uint64_t)goals < left ? (uint64_t)goals : left, 0,
                    until - self->seconds, child) < 0) {
            return -1;
        }
    }
    return 0;
}

/* What is left open by the plans, systematically: schedules that keep to the first
 * plan, fewest preemptions first. */
static int around(struct testing *self, struct hd_child *child) {
    char path[128], strategy[160];
    snprintf(path, sizeof path, "%s/goals", self->scratch.path);
    snprintf(strategy, sizeof strategy, "goal:%s", path);
    size_t *ranked = hd_questions_ranked(&self->questions);
    int rc = 0;
    size_t count = self->questions.count;
    for (size_t i = 0; rc == 0 && i < count; i++) {
        const struct hd_question *question = &self->questions.list[ranked[i]];
        if (!hd_question_open(question)) continue;
        int goals = hd_confirm_around(question, path, &self->err);
        rc = goals < 0 ? -1 : goals ? spend(self, strategy, 0, 0.4 / (double)(count - i), child) : 0;
    }
    free(ranked);
    return rc;
}

/* The search that may refute. What it raised itself was not asked of its executions
 * from the beginning: then it is made again. */
static int search_all(struct testing *self, const char *strategy, double share,
                      struct hd_child *child) {
    struct hd_questions *questions = &self->questions;
    for (int turn = 0; turn < 2; turn++) {
        size_t asked = questions->count;
        questions->searches++;
        if (spend(self, strategy, 0, turn ? 1.0 : share, child) < 0) return -1;
        if (child->exhausted) questions->finished = questions->searches;
        if (!child->exhausted || questions->count == asked) break;
    }
    child->exhausted = questions->finished > 0;
    return 0;
}

static int test(struct testing *self, struct hd_child *child) {
    static const char *const rest[] = {"pct:3", "pos", "surw", "random:0.2", "random"};
    const struct hd_options *options = self->session.options;
    if (record(self, child) < 0) return -1;
    bool own = options->strategy != NULL;
    if (!own && direct(self, FIRST_PLANS, child) < 0) return -1;
    if (search_all(self, own ? options->strategy : "dpor", own ? 1.0 : 0.5, child) < 0) return -1;
    bool complete = child->exhausted;
    struct hd_child search = *child;
    search.counts = NULL;
    if (!complete && !own && (direct(self, HD_PLANS, child) < 0 || around(self, child) < 0)) return -1;
    size_t count = options->brief ? 0 : sizeof rest / sizeof *rest; /* brief: chance had its turn */
    for (size_t i = 0; !complete && !own && i < count; i++) {
        if (spend(self, rest[i], 1000, 1.0 / (double)(count - i), child) < 0) return -1;
    }
    if (self->lost && self->questions.judged == 0) {
        hd_fail(&self->err, 0, "%s was lost (signal %d) before an execution came to its end: nothing was tested",
                self->session.program.path, search.died);
        return -1;
    }
    decide(self, &search, complete);
    return 0;
}

/* Every test in turn, each with an equal share of what is left of the budget. */
static int test_each(struct testing *self, const struct hd_unit_tests *tests,
                     struct hd_child *child) {
    struct hd_verdicts *doc = self->session.doc;
    const struct hd_options *options = self->session.options;
    bool complete = true;
    const char *ended_by = "complete";
    uint64_t threads = 0, lone = 0;
    for (size_t i = 0; i < tests->count; i++) {
        struct hd_options share = *options;
        double part = 1.0 / (double)(tests->count - i);
        if (self->executed < options->executions) {
            share.executions =
                self->executed + (uint64_t)((double)(options->executions - self->executed) * part);
        }
        share.time = self->seconds + (options->time - self->seconds) * part;
        size_t failures = doc->failure_count, warnings = doc->warning_count;
        self->session.options = &share;
        self->session.test = hd_verdicts_string(doc, tests->names[i]);
        self->threads = 0;
        hd_unit_choose(tests->names[i]);
        int rc = test(self, child);
        self->session.options = options;
        if (rc < 0) return -1;
        while (failures < doc->failure_count) doc->failures[failures++].test = self->session.test;
        while (warnings < doc->warning_count) doc->warnings[warnings++].test = self->session.test;
        if (!doc->exhausted) ended_by = doc->ended_by;
        complete = complete && doc->exhausted;
        threads = self->threads > threads ? self->threads : threads;
        lone += self->threads <= 1;
        hd_questions_free(&self->questions);
        self->questions = (struct hd_questions){.session = &self->session};
    }
    if (lone) {
        hd_verdicts_note(doc, "%llu of %zu tests have no second thread: nothing was explored in them",
                         (unsigned long long)lone, tests->count);
    }
    doc->exhausted = complete;
    doc->ended_by = ended_by;
    doc->threads = threads;
    return 0;
}

int hd_cmd_test(int argc, char **argv) {
    struct hd_options options = {0};
    struct hd_usage usage = {
        .verb = "test",
        .operands = "PROG [ARGS...]",
        .about = "Record, check, explore around what was flagged, decide every warning.",
        .sets = (const struct hd_option_set[]){
            {hd_common_options, &options,
             HD_GROUP_RUN | HD_GROUP_SEARCH | HD_GROUP_CHECK | HD_GROUP_DECIDE | HD_GROUP_REPORT |
                 HD_GROUP_TALK},
            {0}},
    };
    int first;
    int rc = hd_options_read(&usage, argc, argv, &first);
    if (rc != HD_OPTIONS_GO_ON) return rc;
    struct testing self = {0};
    struct hd_child child = {0};
    struct hd_unit_tests tests = {0};
    struct hd_resume resume = {.argv = argv + first, .argc = argc - first};
    if (options.resume) {
        const char *given = options.strategy;
        if (hd_resume_read(&resume, &options, argv + first, argc - first, &self.err) < 0) {
            fprintf(stderr, "heddle: %s\n", self.err.text);
            hd_resume_free(&resume);
            return HD_EXIT_USAGE;
        }
        /* dpor and then others is what is done when nothing is said. */
        if (!given && strcmp(options.strategy, "dpor") == 0) options.strategy = NULL;
    }
    rc = hd_session_open(&self.session, &options, resume.argv, resume.argc,
                        options.strategy ? options.strategy : "dpor");
    if (rc < 0) {
        if (resume.doc) hd_resume_free(&resume);
        return rc == -2 ? HD_EXIT_CANNOT : HD_EXIT_USAGE;
    }
    hd_interrupt_watch();
    hd_progress_begin(&self.progress, &options);
    self.questions.session = &self.session;
    self.start = wall_clock();
    rc = HD_EXIT_CANNOT;
    if (hd_scratch_open(&self.scratch) < 0) {
        fprintf(stderr, "heddle: cannot make a folder for traces\n");
        goto out;
    }
    int listed = hd_unit_list(&self.session.program, options.filter, &tests, &self.err);
    if (listed == -2) rc = HD_EXIT_USAGE;
    if (listed == 0) {
        listed = tests.count ? test_each(&self, &tests, &child) : test(&self, &child);
    }
    hd_progress_end(&self.progress);
    if (self.writer > 0) waitpid(self.writer, NULL, 0);
    if (listed < 0) {
        fprintf(stderr, "heddle: %s\n", self.err.text);
    } else {
        finish(&self);
        char command[512];
        snprintf(command, sizeof command, "test %s", resume.argv[0]);
        rc = hd_session_finish(&self.session, command);
        hd_resume_hint("test", &self.session);
    }

out:
    hd_scratch_close(&self.scratch);
    hd_unit_free(&tests);
    free(self.explains);
    hd_child_free(&child);
    hd_questions_free(&self.questions);
    hd_session_close(&self.session);
    if (resume.doc) hd_resume_free(&resume);
    return rc;
}

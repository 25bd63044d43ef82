/* cmd_explore.c - `heddle explore`: search for failing schedules, no checkers. */
#include "command.h"
#include "interrupt.h"
#include "progress.h"
#include "resume.h"
#include "session.h"

#include "sched/told.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct found { /* a distinct ending, as the child numbers them */
    const char *outcome;
    size_t failure; /* index + 1 into the document's failures; 0: none */
    int status;
    struct hd_schedule *schedule;
};

struct search {
    struct hd_session *session;
    struct hd_child child;
    struct found *list;
    size_t count, room;
    struct hd_progress_line progress;
    double keep_at; /* when the next file of what was found so far is due; 0: not yet known */
    pid_t writer; /* of it; 0: none yet */
    bool in_order; /* with a goal: an execution came as it asks for */
};

static bool take_note(void *argument, const char *text) {
    struct search *self = argument;
    self->in_order = self->in_order || strcmp(text, HD_GOAL_KEPT) == 0;
    hd_verdicts_note(self->session->doc, "%s", hd_session_text(self->session, text));
    return true;
}

static void keep(struct search *self);

static bool take_ending(void *argument, const struct hd_ending *ending) {
    struct search *self = argument;
    if (self->count == self->room) {
        self->room = self->room ? self->room * 2 : 64;
        self->list = realloc(self->list, self->room * sizeof *self->list);
        if (!self->list) abort();
    }
    struct found *found = &self->list[self->count++];
    *found = (struct found){.outcome = hd_session_outcome(self->session, ending),
                            .status = ending->status};
    struct hd_verdict_failure *failure = hd_session_failure(self->session, ending);
    if (failure) {
        found->failure = (size_t)(failure - self->session->doc->failures) + 1;
        failure->executions = 0; /* counted at the end */
    }
    if (!failure && ending->status != 0) { /* may turn out to be a failure: kept */
        found->schedule = hd_schedule_copy(ending->schedule);
    }
    if (failure && !self->keep_at) keep(self);
    return true;
}

/* How often each was met. One that was told after the last totals was met once. */
static uint64_t times_of(const struct search *self, size_t which) {
    const struct hd_child *child = &self->child;
    uint64_t times = which < child->count_count ? child->counts[which] : 0;
    return times || child->complete ? times : 1;
}

/* A non-zero exit status is a failure where other executions end with zero. */
static void add_exits(struct search *self) {
    struct hd_verdicts *doc = self->session->doc;
    bool zero = false;
    for (size_t i = 0; i < self->count; i++) {
        zero = zero || (!self->list[i].failure && self->list[i].status == 0);
    }
    for (size_t i = 0; zero && i < self->count; i++) {
        struct found *found = &self->list[i];
        if (found->failure || found->status == 0) continue;
        uint64_t times = times_of(self, i);
        size_t known = 0;
        const char *message =
            hd_verdicts_print_string(doc, "exit status %d, other executions end with 0",
                                     found->status);
        while (known < doc->failure_count &&
               strcmp(doc->failures[known].message, message) != 0) {
            known++;
        }
        if (known < doc->failure_count) {
            doc->failures[known].executions += times;
            continue;
        }
        struct hd_verdict_failure *failure = hd_verdicts_failure(doc);
        failure->kind = HD_FAILURE_EXIT;
        failure->message = message;
        failure->executions = times;
        failure->schedule = found->schedule;
        found->schedule = NULL;
    }
}

static void fill(struct search *self) {
    const struct hd_child *child = &self->child;
    struct hd_verdicts *doc = self->session->doc;
    uint64_t sum = 0;
    for (size_t i = 0; i < self->count; i++) {
        uint64_t times = times_of(self, i);
        sum += times;
        if (self->list[i].failure) {
            doc->failures[self->list[i].failure - 1].executions += times;
        }
        if (times) hd_verdicts_outcome(doc, self->list[i].outcome, times);
    }
    for (size_t i = 0; i < doc->failure_count; i++) {
        if (doc->failures[i].executions == 0) doc->failures[i].executions = 1;
    }
    add_exits(self);
    doc->executions = child->complete || sum < child->executed ? child->executed : sum;
    doc->distinct_traces = child->classes;
    doc->exhausted = child->exhausted;
    doc->ended_by = strcmp(child->ended_by, "search") == 0 ? "complete" : child->ended_by;
    if (strcmp(child->ended_by, "search") == 0 && !child->exhausted && !child->cut) {
        hd_verdicts_bound(doc, doc->strategy);
    }
    doc->events = child->events_seen;
    doc->threads = child->threads_seen;
    doc->scheduling_points = child->steps_seen;
    doc->shared_accesses = child->shared;
    doc->seconds = child->took;
    if (strcmp(child->ended_by, "lost") == 0) {
        hd_verdicts_note(doc, "the process under test was lost (signal %d); what was found before stands",
                         child->died);
    }
    if (child->threads_seen <= 1 && child->complete) {
        hd_verdicts_note(doc, "the program has no second thread: nothing was explored");
    }
    if (child->blocked) {
        hd_verdicts_note(doc, "%llu more executions were begun and found redundant before their end",
                         (unsigned long long)child->blocked);
    }
}

/* ---- while it goes on -------------------------------------------------------------- */

static void keep(struct search *self) {
    double at = self->child.took;
    if (at < self->keep_at) return;
    self->keep_at = hd_session_next(at);
    if (!hd_session_copy(&self->writer)) return;
    struct hd_error err = {0};
    self->child.ended_by = "interrupt";
    fill(self);
    hd_verdicts_finish(self->session->doc);
    _exit(hd_session_write(self->session, &err) < 0);
}

static void take_sofar(void *argument) {
    struct search *self = argument;
    const struct hd_child *child = &self->child;
    const struct hd_far far = {
        .executions = child->executed,
        .of = child->executions,
        .distinct = child->classes,
        .failed = child->failed,
        .depth = child->depth,
        .bound = child->bound,
        .share = child->share,
        .time = child->seconds,
    };
    hd_progress_show(&self->progress, &far);
    if (self->count > 0) keep(self);
}

static int explore(struct search *self, const char *program) {
    struct hd_session *session = self->session;
    struct hd_error err = {0};
    int rc = hd_child_run(&session->program, &self->child, &err);
    hd_progress_end(&self->progress);
    if (self->writer > 0) waitpid(self->writer, NULL, 0);
    if (rc < 0) {
        fprintf(stderr, "heddle: %s\n", err.text);
        return HD_EXIT_CANNOT;
    }
    if (self->child.refused) return HD_EXIT_USAGE;
    if (self->child.gave_up && self->count == 0) return HD_EXIT_CANNOT;
    if (!self->child.complete && self->count == 0 && !hd_interrupted()) {
        fprintf(stderr, "heddle: %s was lost (signal %d) before an execution came to its end\n",
                session->program.path, self->child.died);
        return HD_EXIT_CANNOT;
    }
    if (strncmp(session->doc->strategy, "goal:", 5) == 0 && !self->in_order) {
        hd_verdicts_note(session->doc, "goal: no execution keeps to the order that was asked for");
    }
    fill(self);
    char command[512];
    snprintf(command, sizeof command, "explore %s", program);
    rc = hd_session_finish(session, command);
    hd_resume_hint("explore", session);
    return rc;
}

int hd_cmd_explore(int argc, char **argv) {
    struct hd_options options = {0};
    struct hd_usage usage = {
        .verb = "explore",
        .operands = "PROG [ARGS...]",
        .about = "Search for failing schedules with a strategy; no checkers.",
        .sets = (const struct hd_option_set[]){
            {hd_common_options, &options,
             HD_GROUP_RUN | HD_GROUP_SEARCH | HD_GROUP_REPORT | HD_GROUP_TALK},
            {0}},
    };
    int first;
    int rc = hd_options_read(&usage, argc, argv, &first);
    if (rc != HD_OPTIONS_GO_ON) return rc;
    hd_options_unlimited(&options);
    struct hd_resume resume = {.argv = argv + first, .argc = argc - first};
    struct hd_error err = {0};
    if (options.resume &&
        hd_resume_read(&resume, "explore", &options, argv + first, argc - first, &err) < 0) {
        fprintf(stderr, "heddle: %s\n", err.text);
        hd_resume_free(&resume);
        return HD_EXIT_USAGE;
    }
    const char *strategy = options.strategy ? options.strategy : "portfolio";
    struct hd_session session;
    struct search self = {.session = &session};
    rc = hd_session_open(&session, &options, resume.argv, resume.argc, strategy);
    if (rc < 0) {
        if (resume.doc) hd_resume_free(&resume);
        return rc == -2 ? HD_EXIT_CANNOT : HD_EXIT_USAGE;
    }
    if (hd_resume_fits(&resume, &session, &err) < 0) {
        fprintf(stderr, "heddle: %s\n", err.text);
        hd_session_close(&session);
        hd_resume_free(&resume);
        return HD_EXIT_USAGE;
    }
    self.child = (struct hd_child){
        .strategy = strategy,
        .seed = options.seed,
        .steps = options.steps,
        .executions = options.executions,
        .seconds = options.time,
        .after = hd_resume_done(&resume),
        .explore = true,
        .fork = options.isolate == HD_ISOLATE_FORK,
        .jobs = hd_options_jobs(&options),
        .memory = options.memory,
        .telling = 100,
        .spurious = options.spurious_wakeups,
        .globals = options.observe & HD_OBSERVE_GLOBALS,
        .ending = take_ending,
        .note = take_note,
        .sofar = take_sofar,
        .argument = &self,
    };
    hd_interrupt_watch();
    hd_progress_begin(&self.progress, &options);
    rc = explore(&self, resume.argv[0]);
    for (size_t i = 0; i < self.count; i++) hd_schedule_free(self.list[i].schedule);
    free(self.list);
    hd_child_free(&self.child);
    hd_session_close(&session);
    if (resume.doc) hd_resume_free(&resume);
    return rc;
}

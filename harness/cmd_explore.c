/* cmd_explore.c - `heddle explore`: search for failing schedules, no checkers. */
#include "command.h"
#include "session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct found { /* a distinct ending, as the child numbers them */
    const char *outcome;
    size_t failure; /* index + 1 into the document's failures; 0: none */
    int status;
    struct hd_schedule *schedule;
};

struct search {
    struct hd_session *session;
    struct found *list;
    size_t count, room;
};

static bool take_note(void *argument, const char *text) {
    struct search *self = argument;
    hd_verdicts_note(self->session->doc, "%s", hd_session_text(self->session, text));
    return true;
}

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
    return true;
}

/* A non-zero exit status is a failure where other executions end with zero. */
static void add_exits(struct search *self, const uint64_t *counts, size_t count) {
    struct hd_verdicts *doc = self->session->doc;
    bool zero = false;
    for (size_t i = 0; i < self->count; i++) {
        zero = zero || (!self->list[i].failure && self->list[i].status == 0);
    }
    for (size_t i = 0; zero && i < self->count; i++) {
        struct found *found = &self->list[i];
        if (found->failure || found->status == 0) continue;
        uint64_t times = i < count ? counts[i] : 1;
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

static void fill(struct search *self, const struct hd_child *child) {
    struct hd_verdicts *doc = self->session->doc;
    for (size_t i = 0; i < self->count; i++) {
        uint64_t times = i < child->count_count ? child->counts[i] : 0;
        if (!child->complete) times = times ? times : 1;
        if (self->list[i].failure) {
            doc->failures[self->list[i].failure - 1].executions += times;
        }
        if (times) hd_verdicts_outcome(doc, self->list[i].outcome, times);
    }
    for (size_t i = 0; i < doc->failure_count; i++) {
        if (doc->failures[i].executions == 0) doc->failures[i].executions = 1;
    }
    add_exits(self, child->counts, child->count_count);
    doc->executions = child->executed;
    doc->distinct_traces = child->classes;
    doc->exhausted = child->exhausted;
    doc->ended_by = strcmp(child->ended_by, "search") == 0 ? "complete" : child->ended_by;
    doc->events = child->events_seen;
    doc->threads = child->threads_seen;
    doc->scheduling_points = child->steps_seen;
    doc->shared_accesses = child->shared;
    doc->seconds = child->took;
    if (!child->complete) {
        hd_verdicts_note(doc, "the process under test was lost (signal %d); what was found before stands",
                         child->died);
        doc->ended_by = "lost";
    }
    if (child->threads_seen <= 1 && child->complete) {
        hd_verdicts_note(doc, "the program has no second thread: nothing was explored");
    }
    if (child->blocked) {
        hd_verdicts_note(doc, "%llu more executions were begun and found redundant before their end",
                         (unsigned long long)child->blocked);
    }
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
    const char *strategy = options.strategy ? options.strategy : "portfolio";
    struct hd_session session;
    struct search self = {.session = &session};
    rc = hd_session_open(&session, &options, argv + first, argc - first, strategy);
    if (rc < 0) return rc == -2 ? HD_EXIT_CANNOT : HD_EXIT_USAGE;
    struct hd_child child = {
        .strategy = strategy,
        .seed = options.seed,
        .steps = options.steps,
        .executions = options.executions,
        .seconds = options.time,
        .explore = true,
        .spurious = options.spurious_wakeups,
        .ending = take_ending,
        .note = take_note,
        .argument = &self,
    };
    struct hd_error err = {0};
    if (hd_child_run(&session.program, &child, &err) < 0) {
        fprintf(stderr, "heddle: %s\n", err.text);
        rc = HD_EXIT_CANNOT;
    } else if (!child.complete && self.count == 0) {
        fprintf(stderr, "heddle: %s was lost (signal %d) before an execution came to its end\n",
                session.program.path, child.died);
        rc = HD_EXIT_CANNOT;
    } else {
        fill(&self, &child);
        char command[512];
        snprintf(command, sizeof command, "explore %s", argv[first]);
        rc = hd_session_finish(&session, command);
    }
    for (size_t i = 0; i < self.count; i++) hd_schedule_free(self.list[i].schedule);
    free(self.list);
    hd_child_free(&child);
    hd_session_close(&session);
    return rc;
}

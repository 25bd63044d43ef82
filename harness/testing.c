/* testing.c - see testing.h. */
#define _GNU_SOURCE
#include "testing.h"

#include "confirm.h"
#include "interrupt.h"
#include "seconds.h"
#include "sched/told.h"
#include "strategies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LITTLE 0.05   /* seconds that are not worth starting a process for */
#define FIRST_PLANS 8 /* of each question, before the complete search */
#define MOST 0.8      /* of what is left then: for the complete search */
#define KEEP 5        /* seconds between two files of what is known so far */

void hd_testing_begin(struct hd_testing *self) {
    self->questions.session = &self->session;
    self->start = hd_seconds();
}

static bool take_note(void *argument, const char *text) {
    struct hd_testing *self = argument;
    if (strcmp(text, HD_GOAL_KEPT) == 0) return true; /* of a goal of heddle's own */
    hd_verdicts_note(self->session.doc, "%s", hd_session_text(&self->session, text));
    return true;
}

static void decide(struct hd_testing *self, const struct hd_child *search, bool complete);

static void keep(struct hd_testing *self) {
    static const struct hd_child none = {.ended_by = "interrupt"};
    if (!hd_session_copy(&self->writer)) return;
    self->killed = self->questions.hasty = true;
    decide(self, &none, false);
    hd_testing_finish(self);
    _exit(hd_verdicts_write(self->session.doc, self->session.out, &self->err) < 0);
}

static void pass_time(struct hd_testing *self) {
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
    struct hd_testing *self = argument;
    char path[256];
    snprintf(path, sizeof path, "%s/%llu.trace", self->scratch.path, (unsigned long long)ending->run);
    int rc = 0;
    if (self->running->restarts != self->restarts) hd_twins_free(&self->questions.twins);
    self->restarts = self->running->restarts;
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
static int explore(struct hd_testing *self, const char *strategy, uint64_t executions,
                   uint64_t first, double seconds, struct hd_child *child) {
    const struct hd_options *options = self->session.options;
    hd_child_free(child);
    child->exhausted = false;
    if (hd_interrupted()) return 0; /* what is known is written */
    self->running = child;
    self->restarts = 0;
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
    self->seconds = hd_seconds() - self->start;
    self->timed = self->timed || (child->ended_by && strcmp(child->ended_by, "time") == 0);
    if (!child->complete && !self->err.text[0] && !hd_interrupted()) {
        self->lost = true;
        hd_verdicts_note(self->session.doc,
                         "the process under test was lost (signal %d) under %s", child->died,
                         strategy);
    }
    return 0;
}

static void fill_statistics(struct hd_testing *self, const struct hd_child *search, bool complete) {
    struct hd_verdicts *doc = self->session.doc;
    doc->executions = self->executed;
    doc->distinct_traces = self->classes;
    doc->exhausted = complete;
    bool through = self->session.options->strategy && search->ended_by && !search->cut &&
                   strcmp(search->ended_by, "search") == 0;
    if (through) hd_verdicts_bound(doc, self->session.options->strategy);
    doc->ended_by = self->lost         ? "lost"
                    : hd_interrupted() || self->killed ? "interrupt"
                    : self->timed      ? "time"
                    : complete || doc->bound ? "complete"
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
        bool late = search->ended_by && strcmp(search->ended_by, "time") == 0;
        hd_verdicts_note(doc, "%llu execution%s cut %s: the search is not complete",
                         (unsigned long long)search->cut, search->cut == 1 ? " was" : "s were",
                         late ? "at --steps or when the time was over" : "at --steps");
    }
}

static bool explains(const struct hd_testing *self, const struct hd_question *question, size_t failure) {
    return self->session.doc->warnings[question->entry].impact == HD_HARMFUL &&
           hd_outcomes_has(&question->failures, (uint32_t)failure) &&
           !hd_outcomes_has(&question->spared, (uint32_t)failure);
}

/* Does it stand at one of the accesses of a race that it came with? Where the memory was freed
 * long before, other executions fail there without the two being unordered. */
static bool stands_at(const struct hd_testing *self, const struct hd_question *question, size_t failure) {
    const struct hd_verdict_warning *entry = &self->session.doc->warnings[question->entry];
    const struct hd_place *at = &self->session.doc->failures[failure].location;
    if (question->kind != HD_RACE || entry->impact != HD_HARMFUL || !at->file || !at->line ||
        !hd_outcomes_has(&question->failures, (uint32_t)failure)) {
        return false;
    }
    for (size_t i = 0; i < entry->access_count; i++) {
        const struct hd_place *place = &entry->accesses[i].place;
        if (place->line == at->line && place->file && strcmp(place->file, at->file) == 0) return true;
    }
    return false;
}

/* A failure is explained by the first warning that does harm where it came, and without
 * which it did not come; a deadlock by one of locks, if there is one. Else by a race that it
 * stands at. The ids of warnings
 * are known only when the document is finished: until then, their indices. */
static void note_explanations(struct hd_testing *self) {
    struct hd_verdicts *doc = self->session.doc;
    self->explains = realloc(self->explains, (doc->failure_count + 1) * sizeof *self->explains);
    if (!self->explains) abort();
    for (size_t i = self->explained; i < doc->failure_count; i++) {
        const struct hd_question *first = NULL;
        for (size_t k = 0; k < self->questions.count; k++) {
            const struct hd_question *question = &self->questions.list[k];
            if (!explains(self, question, i)) continue;
            if (!first || (first->kind != HD_DEADLOCK && question->kind == HD_DEADLOCK)) first = question;
        }
        for (size_t k = 0; k < self->questions.count && !first; k++) {
            if (stands_at(self, &self->questions.list[k], i)) first = &self->questions.list[k];
        }
        self->explains[i] = first ? first->entry + 1 : 0;
    }
    self->explained = doc->failure_count;
}

static void decide(struct hd_testing *self, const struct hd_child *search, bool complete) {
    fill_statistics(self, search, complete); /* reasons tell what ended the search */
    hd_questions_decide(&self->questions, complete, self->questions.judged, self->classes);
    note_explanations(self);
}

void hd_testing_finish(struct hd_testing *self) {
    struct hd_verdicts *doc = self->session.doc;
    hd_strangers_note(&self->session.strangers, doc);
    hd_verdicts_finish(doc);
    self->session.finished = true;
    for (size_t i = 0; i < doc->failure_count; i++) {
        if (self->explains[i]) doc->failures[i].warning = doc->warnings[self->explains[i] - 1].id;
    }
    hd_verdicts_hush(doc);
}

/* A share of what is left of the budget; 0: there is nothing left. */
static int spend(struct hd_testing *self, const char *strategy, uint64_t first, double share,
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
static int record(struct hd_testing *self, struct hd_child *child) {
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
static int direct(struct hd_testing *self, uint32_t most, struct hd_child *child) {
    const struct hd_options *options = self->session.options;
    char path[128], strategy[160];
    snprintf(path, sizeof path, "%s/goals", self->scratch.path);
    snprintf(strategy, sizeof strategy, "goal:%s", path);
    uint64_t stop = self->executed + (options->executions - self->executed) / 4;
    double until = self->seconds + (options->time - self->seconds) / 4;
    for (uint32_t each = 1, done = 0; done < most; done += each, each *= done > 1 ? 2 : 1) {
        self->timed = self->timed || self->seconds >= until;
        if (self->executed >= stop || self->seconds >= until || hd_interrupted()) return 0;
        uint64_t left = stop - self->executed;
        int goals = hd_confirm_batch(&self->questions, each, left, path, &self->err);
        if (goals <= 0) return goals;
        if (explore(self, strategy, (uint64_t)goals, 0, until - self->seconds, child) < 0) {
            return -1;
        }
    }
    return 0;
}

/* What is left open by the plans, systematically: schedules that keep to the first
 * plan, fewest preemptions first. */
static int around(struct hd_testing *self, struct hd_child *child) {
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
static int search_all(struct hd_testing *self, const char *strategy, double share,
                      struct hd_child *child) {
    struct hd_questions *questions = &self->questions;
    for (int turn = 0; turn < 2; turn++) {
        size_t asked = questions->count;
        questions->searches++;
        hd_twins_free(&questions->twins);
        if (spend(self, strategy, 0, turn ? 1.0 : share, child) < 0) return -1;
        if (child->exhausted) questions->finished = questions->searches;
        if (!child->exhausted || questions->count == asked) break;
    }
    child->exhausted = questions->finished > 0;
    return 0;
}

int hd_testing_run(struct hd_testing *self, struct hd_child *child) {
    static const char *const rest[] = {"pct:3", "pos", "surw", "random:0.2", "random"};
    const struct hd_options *options = self->session.options;
    if (record(self, child) < 0) return -1;
    bool own = options->strategy != NULL;
    if (!own && direct(self, FIRST_PLANS, child) < 0) return -1;
    if (search_all(self, own ? options->strategy : "dpor", own ? 1.0 : MOST, child) < 0) return -1;
    bool complete = child->exhausted;
    struct hd_child search = *child;
    search.counts = NULL;
    if (!complete && !own && (direct(self, HD_PLANS, child) < 0 || around(self, child) < 0)) return -1;
    size_t count = options->brief ? 0 : sizeof rest / sizeof *rest; /* brief: chance had its turn */
    for (size_t i = 0; !complete && !own && i < count; i++) {
        if (spend(self, rest[i], 1000, 1.0 / (double)(count - i), child) < 0) return -1;
    }
    self->refused = search.refused;
    if (self->refused) return -1; /* it has said why */
    if (self->lost && self->questions.judged == 0) {
        hd_fail(&self->err, 0, "%s was lost (signal %d) before an execution came to its end: nothing was tested",
                self->session.program.path, search.died);
        return -1;
    }
    decide(self, &search, complete);
    return 0;
}

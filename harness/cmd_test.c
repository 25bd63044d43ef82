/* cmd_test.c - `heddle test`: every warning ends confirmed, refuted or undecided.
 *
 * How a program is tested stands in testing.h. One with unit tests is as many
 * programs as it has tests; they share the budget and the document. */
#define _GNU_SOURCE
#include "command.h"
#include "interrupt.h"
#include "resume.h"
#include "testing.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* Every test in turn, each with an equal share of what is left of the budget. */
static int test_each(struct hd_testing *self, const struct hd_unit_tests *tests,
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
        int rc = hd_testing_run(self, child);
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
    hd_options_unlimited(&options);
    struct hd_testing self = {0};
    struct hd_child child = {0};
    struct hd_unit_tests tests = {0};
    struct hd_resume resume = {.argv = argv + first, .argc = argc - first};
    if (options.resume) {
        const char *given = options.strategy;
        if (hd_resume_read(&resume, "test", &options, argv + first, argc - first, &self.err) < 0) {
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
    if (hd_resume_fits(&resume, &self.session, &self.err) < 0) {
        fprintf(stderr, "heddle: %s\n", self.err.text);
        hd_session_close(&self.session);
        hd_resume_free(&resume);
        return HD_EXIT_USAGE;
    }
    hd_interrupt_watch();
    hd_progress_begin(&self.progress, &options);
    self.after = hd_resume_done(&resume);
    hd_testing_begin(&self);
    rc = HD_EXIT_CANNOT;
    if (hd_scratch_open(&self.scratch) < 0) {
        fprintf(stderr, "heddle: cannot make a folder for traces\n");
        goto out;
    }
    int listed = hd_unit_list(&self.session.program, options.filter, &tests, &self.err);
    if (listed == -2) rc = HD_EXIT_USAGE;
    if (listed == 0) {
        listed = tests.count ? test_each(&self, &tests, &child) : hd_testing_run(&self, &child);
    }
    hd_progress_end(&self.progress);
    if (self.writer > 0) waitpid(self.writer, NULL, 0);
    if (self.refused) {
        rc = HD_EXIT_USAGE;
    } else if (listed < 0) {
        fprintf(stderr, "heddle: %s\n", self.err.text);
    } else {
        hd_testing_finish(&self);
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

/* resume.c - see resume.h. */
#include "resume.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STANDARD 10000 /* --executions, when it is not given */

static bool same_program(const struct hd_verdicts *doc, char **argv, int argc) {
    if (argc == 0) return true;
    if ((size_t)argc != doc->argument_count + 1 || strcmp(argv[0], doc->path) != 0) return false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], doc->arguments[i - 1]) != 0) return false;
    }
    return true;
}

/* As --checkers takes them. */
static const char *join(struct hd_verdicts *doc) {
    const char *list = doc->checkers[0];
    for (size_t i = 1; i < doc->checker_count; i++) {
        list = hd_verdicts_print_string(doc, "%s,%s", list, doc->checkers[i]);
    }
    return list;
}

int hd_resume_read(struct hd_resume *self, const char *verb, struct hd_options *options,
                   char **argv, int argc, struct hd_error *err) {
    self->argv = NULL;
    struct hd_verdicts *doc = self->doc = hd_verdicts_read(options->resume, err);
    if (!doc) return -1;
    /* Where no checker is named and nothing was flagged it can have been either. */
    const char *wrote = doc->checker_count || doc->warning_count ? "test" : verb;
    if (strcmp(wrote, verb) != 0) {
        hd_fail(err, 0, "%s: heddle %s wrote it; heddle %s --resume %s goes on", options->resume,
                wrote, wrote, options->resume);
        return -1;
    }
    if (!same_program(doc, argv, argc)) {
        hd_fail(err, 0, "%s: is of %s; --resume needs no program, or the same one",
                options->resume, doc->path);
        return -1;
    }
    if (options->strategy && strcmp(options->strategy, doc->strategy) != 0) {
        hd_fail(err, 0, "%s: its search was %s, and goes on as that: --resume takes no other --strategy",
                options->resume, doc->strategy);
        return -1;
    }
    self->argv = calloc(doc->argument_count + 2, sizeof *self->argv);
    if (!self->argv) abort();
    self->argv[0] = (char *)doc->path;
    for (size_t i = 0; i < doc->argument_count; i++) self->argv[i + 1] = (char *)doc->arguments[i];
    self->argc = (int)doc->argument_count + 1;
    options->seed = doc->seed;
    options->transactions = doc->transactions;
    options->strategy = doc->strategy;
    options->steps = doc->steps;
    options->spurious_wakeups = doc->spurious_wakeups;
    options->isolate = strcmp(doc->isolate, "fork") == 0 ? HD_ISOLATE_FORK : HD_ISOLATE_SNAPSHOT;
    if (options->executions == STANDARD) options->executions = doc->budget;
    if (!options->out) options->out = options->resume;
    if (doc->record) options->record = doc->record;
    if (doc->filter) options->filter = doc->filter;
    if (doc->checker_count) options->checkers = join(doc);
    options->observe = 0;
    static const char *const words[] = {"exit", "stdout", "values", "globals"};
    for (size_t i = 0; i < doc->observe_count; i++) {
        for (unsigned k = 0; k < 4; k++) {
            if (strcmp(doc->observe[i], words[k]) == 0) options->observe |= 1u << k;
        }
    }
    return 0;
}

int hd_resume_fits(const struct hd_resume *self, struct hd_session *session,
                   struct hd_error *err) {
    if (self->doc && strcmp(session->out, session->options->resume) == 0) session->before = self->doc;
    const char *then = self->doc ? self->doc->build_id : NULL, *now = session->doc->build_id;
    if (!then || !now || strcmp(then, now) == 0) return 0;
    hd_fail(err, 0, "%s: %s was built anew since; what was found is not of this program. "
                    "Begin again, without --resume",
            session->options->resume, self->doc->path);
    return -1;
}

uint64_t hd_resume_done(const struct hd_resume *self) {
    return self->doc && !self->doc->exhausted ? self->doc->executions : 0;
}

void hd_resume_hint(const char *verb, const struct hd_session *session) {
    const char *by = session->doc->ended_by;
    if (session->options->quiet) return;
    if (strcmp(by, "interrupt") != 0 && strcmp(by, "time") != 0) return;
    fprintf(stderr, "heddle: heddle %s --resume %s goes on\n", verb, session->out);
}

void hd_resume_free(struct hd_resume *self) {
    hd_verdicts_free(self->doc);
    free(self->argv);
    *self = (struct hd_resume){0};
}

/* session.c - see session.h. */
#define _GNU_SOURCE
#include "session.h"

#include "about.h"
#include "checkers/transaction.h"
#include "command.h"
#include "globals.h"
#include "interrupt.h"
#include "minimise.h"
#include "say.h"
#include "sched/globals.h"
#include "seconds.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOMENT 2.0 /* seconds */

/* The words between commas, as they were given. */
static void keep_checkers(struct hd_verdicts *doc, const char *list) {
    size_t count = 0;
    for (const char *at = list; at; at = strchr(at + 1, ',')) count++;
    doc->checkers = hd_verdicts_array(doc, count, sizeof *doc->checkers);
    for (const char *at = list; at; at = *at ? at + 1 : NULL) {
        size_t length = strcspn(at, ",");
        doc->checkers[doc->checker_count++] =
            hd_verdicts_print_string(doc, "%.*s", (int)length, at);
        at += length;
    }
}

static void fill_configuration(struct hd_session *self, const char *strategy) {
    static const char *const observe[] = {"exit", "stdout", "values", "globals"};
    struct hd_verdicts *doc = self->doc;
    const struct hd_options *options = self->options;
    doc->path = hd_verdicts_string(doc, self->program.argv[0]);
    size_t count = 0;
    while (self->program.argv[count + 1]) count++;
    doc->arguments = hd_verdicts_strings(doc, (const char *const *)self->program.argv + 1, count);
    doc->argument_count = count;
    doc->seed = options->seed;
    doc->strategy = hd_verdicts_string(doc, strategy);
    doc->budget = options->executions;
    doc->transactions = options->transactions ? options->transactions : "default";
    doc->time = options->time;
    doc->steps = options->steps;
    doc->isolate = options->isolate == HD_ISOLATE_FORK ? "fork" : "snapshot";
    doc->spurious_wakeups = options->spurious_wakeups;
    doc->observe = hd_verdicts_array(doc, 4, sizeof *doc->observe);
    for (int i = 0; i < 4; i++) {
        if (options->observe & (1u << i)) doc->observe[doc->observe_count++] = observe[i];
    }
    if (options->record && strcmp(options->record, HD_RECORD_STANDARD) != 0) {
        doc->record = hd_verdicts_string(doc, options->record);
    }
    if (options->filter) doc->filter = hd_verdicts_string(doc, options->filter);
    keep_checkers(doc, options->checkers);
}

int hd_session_open(struct hd_session *self, const struct hd_options *options, char **argv,
                    int argc, const char *strategy) {
    memset(self, 0, sizeof *self);
    self->options = options;
    if (argc < 1) {
        fprintf(stderr, "heddle: which program? (heddle help)\n");
        return -1;
    }
    struct hd_error err = {0};
    if (strncmp(strategy, "replay:", 7) == 0) { /* read by the program later: look now */
        struct hd_schedule *schedule = hd_schedule_open(strategy + 7, &err);
        hd_schedule_free(schedule);
    }
    struct hd_arena *arena = hd_arena_new();
    struct hd_policy policy;
    if (arena && !err.text[0]) hd_policy_parse(arena, options->transactions, &policy, &err);
    hd_arena_free(arena);
    if (err.text[0]) {
        fprintf(stderr, "heddle: %s\n", err.text);
        return -1;
    }
    /* A name without a slash is a file here, as the compiler left it. */
    snprintf(self->path, sizeof self->path, "%s%s", strchr(argv[0], '/') ? "" : "./", argv[0]);
    self->program.path = self->path;
    self->program.argv = argv;
    self->book = hd_book_new();
    self->doc = hd_verdicts_new();
    if (!self->book || !self->doc) {
        fprintf(stderr, "heddle: out of memory\n");
        return -1;
    }
    hd_book_add(self->book, self->path);
    const char *tail = strrchr(argv[0], '/');
    tail = tail ? tail + 1 : argv[0];
    if (options->out) {
        snprintf(self->out, sizeof self->out, "%s", options->out);
    } else {
        snprintf(self->out, sizeof self->out, "results/%s.json", tail);
    }
    fill_configuration(self, strategy);
    struct hd_module_names *names = hd_book_module(self->book, tail, strlen(tail));
    if (names) self->doc->build_id = hd_verdicts_string(self->doc, hd_names_build_id(names));
    return 0;
}

void hd_session_close(struct hd_session *self) {
    hd_book_free(self->book);
    hd_strangers_free(&self->strangers);
    hd_verdicts_free(self->doc);
}

const char *hd_session_text(struct hd_session *self, const char *text) {
    static char buffer[8192];
    hd_book_text(self->book, text ? text : "", buffer, sizeof buffer);
    return buffer;
}

static bool same(const char *a, const char *b) { return strcmp(a ? a : "", b ? b : "") == 0; }

/* A framework says it itself: "FILE:LINE:...". */
static struct hd_place told_place(struct hd_session *self, const char *message) {
    struct hd_place place = {0};
    const char *colon = strchr(message, ':');
    char *end;
    if (!colon || colon == message || colon[1] < '1' || colon[1] > '9') return place;
    unsigned long line = strtoul(colon + 1, &end, 10);
    if (*end != ':' || line > UINT32_MAX) return place;
    char *file = strndup(message, (size_t)(colon - message));
    if (!file) abort();
    place.file = hd_verdicts_string(self->doc, file);
    place.line = (uint32_t)line;
    free(file);
    return place;
}

struct hd_place hd_session_place(struct hd_session *self, const struct hd_ending *ending) {
    struct hd_place place = {0};
    const char *at = ending->at;
    if (!at && ending->message && same(ending->failure, "assertion")) {
        return told_place(self, ending->message);
    }
    if (!at || at[0] != '[') return place;
    const char *plus = strrchr(at, '+');
    if (!plus) return place;
    struct hd_module_names *names =
        hd_book_module(self->book, at + 1, (size_t)(plus - at - 1));
    struct hd_code_name code;
    if (!names || !hd_names_code(names, strtoull(plus + 1, NULL, 16), &code)) return place;
    place.function = hd_verdicts_string(self->doc, code.function);
    place.file = hd_verdicts_string(self->doc, code.file);
    place.line = code.line;
    return place;
}

static void put_quoted(FILE *out, const char *text, size_t length) {
    fputc('"', out);
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '\n') {
            fputs("\\n", out);
        } else if (c == '"' || c == '\\') {
            fprintf(out, "\\%c", c);
        } else if (c < 32 || c >= 127) {
            fprintf(out, "\\x%02x", c);
        } else {
            fputc(c, out);
        }
    }
    fputc('"', out);
}

const char *hd_session_outcome(struct hd_session *self, const struct hd_ending *ending) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out) abort();
    unsigned observe = self->options->observe;
    const char *between = ""; /* parts */
    if (self->test) fprintf(out, "%s: ", self->test);
    if (ending->failure || ending->cut || (observe & HD_OBSERVE_EXIT)) {
        if (ending->failure) fputs(ending->failure, out);
        else if (ending->cut) fputs("cut before its end", out);
        else fprintf(out, "exit %d", ending->status);
        between = ", ";
    }
    if ((observe & HD_OBSERVE_STDOUT) && ending->output_length) {
        fprintf(out, "%sstdout ", between);
        put_quoted(out, ending->output, ending->output_length);
        between = ", ";
    }
    const char *globals = strchr(ending->observed, HD_GLOBALS_MARK);
    size_t length = globals ? (size_t)(globals - ending->observed) : strlen(ending->observed);
    if ((observe & HD_OBSERVE_VALUES) && length) {
        fprintf(out, "%s%.*s", between, (int)length, ending->observed);
        between = ", ";
    }
    if ((observe & HD_OBSERVE_GLOBALS) && globals && globals[1]) {
        fprintf(out, "%sglobals", between);
        hd_globals_put(out, self->book, globals + 1);
    }
    fclose(out);
    const char *kept = hd_verdicts_string(self->doc, text);
    free(text);
    return kept;
}

enum hd_failure_kind hd_session_failure_kind(const char *word) {
    for (int i = 0; i < HD_FAILURE_KIND_COUNT; i++) {
        if (strcmp(word, hd_failure_words[i]) == 0) return (enum hd_failure_kind)i;
    }
    return HD_FAILURE_CRASH;
}

struct hd_verdict_failure *hd_session_failure(struct hd_session *self,
                                              const struct hd_ending *ending) {
    if (!ending->failure) return NULL;
    struct hd_verdicts *doc = self->doc;
    enum hd_failure_kind kind = hd_session_failure_kind(ending->failure);
    struct hd_place place = hd_session_place(self, ending);
    const char *about = hd_about(self, ending, &place);
    for (size_t i = 0; i < doc->failure_count; i++) {
        struct hd_verdict_failure *known = &doc->failures[i];
        if (known->kind == kind && same(known->test, self->test) &&
            hd_about_same(known, ending, &place, about)) {
            known->executions++;
            return known;
        }
    }
    struct hd_verdict_failure *failure = hd_verdicts_failure(doc);
    failure->kind = kind;
    failure->test = self->test;
    failure->message = hd_verdicts_string(doc, hd_session_text(self, ending->message));
    failure->about = about;
    failure->location = place;
    failure->executions = 1;
    failure->schedule = hd_schedule_copy(ending->schedule);
    return failure;
}

/* Does it say less than what it would replace? */
static bool says_less(const struct hd_verdicts *doc, const struct hd_verdicts *before) {
    if (doc->exhausted) return false;
    if (before->exhausted || doc->executions < before->executions) return true;
    for (size_t i = 0; i < before->failure_count; i++) {
        if (!hd_verdicts_find_failure(doc, before->failures[i].id)) return true;
    }
    for (size_t i = 0; i < before->warning_count; i++) {
        if (before->warnings[i].verdict == HD_UNDECIDED) continue;
        const struct hd_verdict_warning *now = hd_verdicts_find_warning(doc, before->warnings[i].id);
        if (!now || now->verdict == HD_UNDECIDED) return true;
    }
    return false;
}

int hd_session_write(const struct hd_session *self, struct hd_error *err) {
    if (self->before && says_less(self->doc, self->before)) return 1;
    return hd_verdicts_write(self->doc, self->out, err);
}

/* --brief, as a unit test asks for it: a failure's schedule is what it wants, and of
 * verdicts only those that hold something. */
static int finish_briefly(struct hd_session *self, struct hd_error *err) {
    const struct hd_verdicts *doc = self->doc;
    const char *schedule = self->options->schedule;
    int status = hd_verdicts_status(doc, NULL);
    bool keep = status == HD_EXIT_FOUND && !(schedule && doc->failure_count);
    bool kept = keep && hd_verdicts_write(doc, self->out, err) == 0;
    if (schedule && doc->failure_count && doc->failures[0].schedule) {
        hd_schedule_write_plain(doc->failures[0].schedule, schedule, err);
    }
    hd_say_brief(&(struct hd_say){.out = stdout, .file = kept ? self->out : NULL}, doc);
    if (err->text[0]) fprintf(stderr, "heddle: %s\n", err->text);
    return err->text[0] ? HD_EXIT_CANNOT : status;
}

int hd_session_finish(struct hd_session *self, const char *command) {
    struct hd_error err = {0};
    struct hd_verdicts *baseline = NULL;
    const struct hd_options *options = self->options;
    /* In what is left of the time, or in a moment beyond it. */
    double left = options->time - self->doc->seconds;
    double until = hd_seconds() + (left > MOMENT ? left : MOMENT);
    for (size_t i = 0; i < self->doc->failure_count && i < 8; i++) {
        hd_minimise(self, &self->doc->failures[i], 100, until);
    }
    /* The search was over, but its schedules are not the shortest: go on for those. */
    if (self->doc->failure_count && hd_interrupted()) self->doc->ended_by = "interrupt";
    if (!self->finished) hd_verdicts_finish(self->doc);
    if (options->brief) return finish_briefly(self, &err);
    if (options->baseline) {
        baseline = hd_verdicts_read(options->baseline, &err);
        if (!baseline) {
            fprintf(stderr, "heddle: %s\n", err.text);
            return HD_EXIT_USAGE;
        }
    }
    int status = hd_verdicts_status(self->doc, baseline);
    int wrote = hd_session_write(self, &err);
    bool kept = wrote == 0;
    if (wrote < 0) {
        fprintf(stderr, "heddle: %s\n", err.text);
        status = HD_EXIT_CANNOT;
    }
    if (wrote > 0) {
        fprintf(stderr, "heddle: %s is left as it was: it tells of more than this search came to "
                        "(%llu executions, %llu before)\n", self->out,
                (unsigned long long)self->doc->executions, (unsigned long long)self->before->executions);
        int then = hd_verdicts_status(self->before, baseline);
        status = then > status ? then : status;
    }
    if (options->json && hd_verdicts_print(self->doc, stdout, &err) < 0) {
        fprintf(stderr, "heddle: standard output: %s\n", err.text);
        status = HD_EXIT_CANNOT;
    }
    if (!options->quiet) {
        struct hd_say say = {.out = stderr,
                             .color = hd_say_color(stderr, options->no_color),
                             .file = kept ? self->out : NULL,
                             .command = command,
                             .baseline = baseline};
        hd_say_verdicts(&say, self->doc);
    }
    hd_verdicts_free(baseline);
    return status;
}

bool hd_session_copy(pid_t *writer) {
    if (*writer > 0 && waitpid(*writer, NULL, WNOHANG) == 0) return false;
    fflush(NULL);
    *writer = fork();
    return *writer == 0;
}

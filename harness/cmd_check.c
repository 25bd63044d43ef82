/* cmd_check.c - `heddle check`: the offline checkers on a trace file.
 *
 * No program is needed and none is run, so every verdict is undecided: a warning
 * says what may happen. The exit status is about the input alone. */
#include "command.h"
#include "checkers/run.h"
#include "option.h"
#include "say.h"
#include "strangers.h"
#include "warning_fill.h"
#include "warning_json.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fail(const struct hd_error *err) {
    fprintf(stderr, "heddle: %s\n", err->text);
    switch (err->cause) {
    case ENOSPC:
    case EIO:
    case ENOMEM:
    case EMFILE:
    case ENFILE: return HD_EXIT_CANNOT;
    default: return HD_EXIT_USAGE;
    }
}

static int width(int so_far, const char *text) {
    int length = text ? (int)strlen(text) : 1;
    return length > so_far ? length : so_far;
}

static void place_text(const struct hd_place *at, char *buffer, size_t room) {
    if (at->file && at->line) {
        snprintf(buffer, room, "%s:%" PRIu32, at->file, at->line);
    } else {
        snprintf(buffer, room, "%s", at->file ? at->file : at->function ? at->function : "?");
    }
}

static void say_accesses(const struct hd_verdict_warning *shown, const struct hd_warning *w) {
    int thread = 0, op = 0, variable = 0, where = 0;
    char text[512];
    for (size_t i = 0; i < shown->access_count; i++) {
        const struct hd_verdict_access *a = &shown->accesses[i];
        place_text(&a->place, text, sizeof text);
        thread = width(thread, a->thread);
        op = width(op, a->op);
        variable = width(variable, a->variable);
        where = width(where, text);
    }
    for (size_t i = 0; i < shown->access_count; i++) {
        const struct hd_verdict_access *a = &shown->accesses[i];
        place_text(&a->place, text, sizeof text);
        printf("  %-*s %-*s %-*s  %-*s", thread, a->thread, op, a->op, variable,
               a->variable ? a->variable : "?", where, text);
        if (w->accesses[i].seq != UINT64_MAX) printf("  event %" PRIu64, w->accesses[i].seq);
        for (size_t k = 0; k < a->lock_count; k++) {
            printf("%s%s", k ? ", " : "  holding ", a->locks[k]);
        }
        putchar('\n');
    }
}

static void say_warning(const struct hd_verdict_warning *shown, const struct hd_warning *w) {
    char claim[512];
    hd_say_claim(shown, claim, sizeof claim);
    printf("%s (", claim);
    for (size_t i = 0; i < shown->checker_count; i++) {
        printf("%s%s", i ? ", " : "", shown->checkers[i]);
    }
    printf(")%s%s\n", shown->pattern ? ": " : "", shown->pattern ? shown->pattern : "");
    say_accesses(shown, w);
    if (shown->evidence.reason[0]) printf("  %-8s %s\n", "why", shown->evidence.reason);
    if (w->variant_count > 1) {
        printf("  %-8s %" PRIu32 " more in the same place\n", "others", w->variant_count - 1);
    }
    if (w->instances > 1) printf("  %-8s %" PRIu64 " times\n", "seen", w->instances);
}

static int say_report(const struct hd_verdicts *doc, const struct hd_report *report,
                      const uint32_t *index) {
    for (size_t i = 0; i < doc->warning_count; i++) {
        say_warning(&doc->warnings[i], hd_report_warning(report, index[i]));
    }
    for (uint32_t i = 0; i < hd_report_notes(report); i++) {
        printf("note: %s\n", hd_report_note(report, i));
    }
    for (uint32_t i = 0; i < hd_report_strangers(report); i++) {
        printf("note: " HD_STRANGER "\n", hd_report_stranger(report, i));
    }
    printf("%zu warning%s\n", doc->warning_count, doc->warning_count == 1 ? "" : "s");
    return fflush(stdout);
}

/* What a pass may use: a trace that wants more is told so; the kernel would end us. */
static size_t memory(void) {
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (size_t)pages / 4 * 3 * (size_t)size : 0;
}

static int check(const char *path, const struct hd_options *options, struct hd_error *err) {
    int rc = -1;
    struct hd_report *report = NULL;
    struct hd_verdicts *doc = NULL;
    uint32_t *index = NULL;
    struct hd_trace *trace = hd_trace_open(path, err);
    struct hd_check_options how = {options->checkers, options->transactions, memory()};
    if (!trace || hd_check(trace, &how, &report, err) < 0) goto out;
    doc = hd_verdicts_new();
    index = calloc((size_t)hd_report_count(report) + 1, sizeof *index);
    if (!doc || !index) {
        hd_fail_system(err, ENOMEM, "%s", path);
        goto out;
    }
    hd_warnings_fill(doc, report, index);
    hd_verdicts_finish(doc);
    if (options->json) {
        rc = hd_warnings_print_json(doc, report, index, stdout, err);
    } else if (say_report(doc, report, index) != 0) {
        hd_fail_system(err, EIO, "standard output");
    } else {
        rc = 0;
    }

out:
    free(index);
    hd_verdicts_free(doc);
    hd_report_free(report);
    hd_trace_free(trace);
    return rc;
}

int hd_cmd_check(int argc, char **argv) {
    struct hd_options options = {0};
    const struct hd_option_set sets[] = {
        {hd_common_options, &options, HD_GROUP_CHECK}, {NULL, NULL, 0}};
    const struct hd_usage usage = {
        .verb = "check",
        .operands = "TRACE",
        .about = "The offline checkers on a trace: binary, text or std, told apart by content;\n"
                 "- is standard input. Nothing is run; a warning says what may happen.",
        .sets = sets,
        .mixed = true,
    };
    int first;
    int status = hd_options_read(&usage, argc, argv, &first);
    if (status != HD_OPTIONS_GO_ON) return status;
    if (argc - first != 1) {
        fprintf(stderr, "heddle: check: expected one TRACE, there are %d\n", argc - first);
        return HD_EXIT_USAGE;
    }
    struct hd_error err = {.text = ""};
    return check(argv[first], &options, &err) < 0 ? fail(&err) : HD_EXIT_CLEAN;
}

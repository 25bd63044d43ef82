/* test_corpus.c - traces and what must be said about them, from corpus/<checker>.txt.
 *
 *     == a write and a read under different locks ==
 *     T0 acq a @bank.c:10
 *     ...
 *     -- races:algorithm=hb
 *     race balance W-R: T0 write balance bank.c:11, T1 read balance bank.c:21
 *     -- deadlock
 *
 * A case is a title, a trace, and for each list of checkers (behind it, if not
 * `regions`, the policy of transactions in brackets) the warnings, a line each in
 * the form of line.h; none means silence. An expected line may be the beginning of
 * what is said, up to a blank or a colon. Variants are lines of their own. Lines
 * that begin with `#` are remarks. GOLDEN=1 writes the files anew; the diff is
 * the review.
 *
 * This program knows no checker by name. It also insists that whoever speaks in
 * a file is silent somewhere else in it. */
#include "checkers/run.h"
#include "checkers/tests/line.h"

#include "unity.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FOLDER "checkers/tests/corpus"
#define LINES 4096
#define SPECS 256

static char *file_lines[LINES];
static size_t file_count;
static char file_text[1 << 20], trace_text[1 << 16], path[512];
static FILE *golden;
static struct spec {
    char name[200];
    int spoke, silent;
} specs[SPECS];
static size_t spec_count;

void setUp(void) {}
void tearDown(void) {}

static void load(void) {
    FILE *file = fopen(path, "r");
    TEST_ASSERT_NOT_NULL_MESSAGE(file, path);
    size_t length = fread(file_text, 1, sizeof file_text - 1, file);
    fclose(file);
    file_text[length] = '\0';
    file_count = 0;
    for (char *at = file_text; *at;) {
        TEST_ASSERT_LESS_THAN_MESSAGE(LINES, file_count, "too many lines");
        file_lines[file_count++] = at;
        at += strcspn(at, "\n");
        if (*at) *at++ = '\0';
    }
}

static bool begins(const char *line, const char *with) {
    return !strncmp(line, with, strlen(with));
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static struct spec *find_spec(const char *name) {
    for (size_t i = 0; i < spec_count; i++) {
        if (!strcmp(specs[i].name, name)) return &specs[i];
    }
    TEST_ASSERT_LESS_THAN(SPECS, spec_count);
    snprintf(specs[spec_count].name, sizeof specs->name, "%s", name);
    return &specs[spec_count++];
}

/* All warnings and their variants, sorted. Freed by the caller. */
static size_t said(const char *spec, char **lines, size_t room) {
    char checkers[200], policy[64] = "regions";
    snprintf(checkers, sizeof checkers, "%s", spec);
    char *bracket = strchr(checkers, '[');
    if (bracket) {
        snprintf(policy, sizeof policy, "%.*s", (int)strcspn(bracket + 1, "]"), bracket + 1);
        while (bracket > checkers && (*bracket == '[' || *bracket == ' ')) *bracket-- = '\0';
    }
    struct hd_error err = {.text = ""};
    struct hd_check_options options = {.checkers = checkers, .transactions = policy};
    struct hd_report *report = NULL;
    struct hd_trace *trace = hd_trace_parse(trace_text, path, &err);
    TEST_ASSERT_NOT_NULL_MESSAGE(trace, err.text);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, hd_check(trace, &options, &report, &err), err.text);
    size_t count = 0;
    for (uint32_t i = 0; i < hd_report_count(report); i++) {
        for (const struct hd_warning *w = hd_report_warning(report, i); w; w = w->next_variant) {
            char line[2048];
            hd_line(report, w, line, sizeof line);
            TEST_ASSERT_LESS_THAN(room, count);
            lines[count++] = strdup(line);
        }
    }
    hd_report_free(report);
    hd_trace_free(trace);
    if (count) qsort(lines, count, sizeof *lines, by_text);
    return count;
}

static bool matches(const char *want, const char *is) {
    size_t length = strlen(want);
    return begins(is, want) && strchr(" :", is[length]) != NULL;
}

static void disagree(const char *title, const char *spec, char **want, size_t wanted, char **is,
                     size_t found) {
    static char message[1 << 15];
    snprintf(message, sizeof message, "%s: %s: %s\n  expected", path, title, spec);
    for (size_t i = 0; i < wanted; i++) hd_line_add(message, sizeof message, "\n    ", want[i]);
    hd_line_add(message, sizeof message, wanted ? "" : " silence", "\n  said");
    for (size_t i = 0; i < found; i++) hd_line_add(message, sizeof message, "\n    ", is[i]);
    hd_line_add(message, sizeof message, found ? "" : " nothing", "");
    TEST_FAIL_MESSAGE(message);
}

/* One list of checkers on the trace at hand; `at` is its line, the expected ones follow. */
static size_t section(const char *title, size_t at) {
    char *want[256], *is[256];
    const char *spec = file_lines[at] + 2;
    spec += strspn(spec, " ");
    size_t wanted = 0;
    for (at++; at < file_count && !begins(file_lines[at], "--") && !begins(file_lines[at], "==");
         at++) {
        if (*file_lines[at] && *file_lines[at] != '#') want[wanted++] = file_lines[at];
    }
    if (wanted) qsort(want, wanted, sizeof *want, by_text);
    size_t found = said(spec, is, 256);
    *(found ? &find_spec(spec)->spoke : &find_spec(spec)->silent) += 1;
    bool same = wanted == found;
    for (size_t i = 0; i < wanted && same; i++) same = matches(want[i], is[i]);
    if (golden) {
        fprintf(golden, "-- %s\n", spec);
        for (size_t i = 0; i < found; i++) fprintf(golden, "%s\n", is[i]);
    } else if (!same) {
        disagree(title, spec, want, wanted, is, found);
    }
    for (size_t i = 0; i < found; i++) free(is[i]);
    return at;
}

static void a_corpus_file(void) {
    load();
    spec_count = 0;
    memset(specs, 0, sizeof specs);
    if (getenv("GOLDEN")) golden = fopen(path, "w");
    size_t cases = 0;
    for (size_t at = 0; at < file_count;) {
        if (!begins(file_lines[at], "==")) {
            if (golden) fprintf(golden, "%s\n", file_lines[at]);
            at++;
            continue;
        }
        const char *title = file_lines[at++];
        trace_text[0] = '\0';
        for (; at < file_count && !begins(file_lines[at], "--"); at++) {
            hd_line_add(trace_text, sizeof trace_text, file_lines[at], "\n");
        }
        if (golden) fprintf(golden, "%s\n%s", title, trace_text);
        while (at < file_count && begins(file_lines[at], "--")) at = section(title, at);
        if (golden && at < file_count) fputc('\n', golden);
        cases++;
    }
    if (golden) fclose(golden);
    golden = NULL;
    TEST_ASSERT_GREATER_THAN_MESSAGE(0, cases, path);
    for (size_t i = 0; i < spec_count; i++) {
        char message[512];
        snprintf(message, sizeof message, "%.200s: %.200s speaks and is never silent", path,
                 specs[i].name);
        if (specs[i].spoke) TEST_ASSERT_GREATER_THAN_MESSAGE(0, specs[i].silent, message);
    }
}

static int wanted_file(const struct dirent *entry) {
    size_t length = strlen(entry->d_name);
    return length > 4 && !strcmp(entry->d_name + length - 4, ".txt");
}

int main(void) {
    UNITY_BEGIN();
    struct dirent **files;
    int count = scandir(FOLDER, &files, wanted_file, alphasort);
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, FOLDER "/%s", files[i]->d_name);
        UnityDefaultTestRun(a_corpus_file, files[i]->d_name, __LINE__);
        free(files[i]);
    }
    if (count >= 0) free(files);
    return count <= 0 ? 1 : UNITY_END();
}

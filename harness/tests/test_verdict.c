/* test_verdict.c - the document: written, validated, read back, refused. */
#include "harness/file.h"
#include "harness/verdict.h"

#include "unity.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct hd_error error;
static char folder[64];
static char path[128];
static struct hd_verdicts *doc;

void setUp(void) {
    memset(&error, 0, sizeof error);
    strcpy(folder, "/tmp/hd_verdict.XXXXXX");
    TEST_ASSERT_NOT_NULL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/v.json", folder);
    doc = hd_verdicts_new();
}
void tearDown(void) {
    hd_verdicts_free(doc);
    unlink(path);
    rmdir(folder);
}

static struct hd_schedule *some_schedule(void) {
    struct hd_schedule *schedule = hd_schedule_new();
    hd_schedule_step(schedule, "0", 5, NULL);
    hd_schedule_step(schedule, "0.2", 7, NULL);
    hd_schedule_value(schedule, 1, NULL);
    return schedule;
}

static struct hd_verdict_warning *
add_warning(const char *function, enum hd_verdict verdict, enum hd_impact impact) {
    static const char *checkers[] = {"blocks", "reduction"}, *locks[] = {"guard"};
    struct hd_verdict_warning *warning = hd_verdicts_warning(doc);
    warning->kind = "atomicity";
    warning->checkers = hd_verdicts_strings(doc, checkers, 2);
    warning->checker_count = 2;
    warning->score = -7;
    warning->has_transaction = true;
    warning->transaction = (struct hd_place){function, "bank.c", 20};
    warning->pattern = "R-W-W";
    warning->accesses = hd_verdicts_array(doc, 2, sizeof *warning->accesses);
    warning->access_count = 2;
    for (size_t i = 0; i < 2; i++) {
        warning->accesses[i] = (struct hd_verdict_access){
            .thread = i ? "0.2" : "0.1",
            .op = i ? "write" : "read",
            .variable = "balance",
            .place = {function, "bank.c", 21 + (uint32_t)i},
            .locks = hd_verdicts_strings(doc, locks, 1),
            .lock_count = 1,
        };
    }
    warning->verdict = verdict;
    warning->impact = impact;
    warning->evidence.reason = "another thread's write falls inside";
    warning->evidence.exhaustive = verdict == HD_REFUTED;
    warning->evidence.executions = 3;
    if (verdict == HD_UNDECIDED) warning->evidence.distinct_traces = 2;
    if (verdict == HD_CONFIRMED) warning->evidence.schedule = some_schedule();
    return warning;
}

static void fill(void) {
    static const char *arguments[] = {"-n", "4"}, *observe[] = {"exit", "stdout"};
    doc->path = "build/suites/bank";
    doc->arguments = hd_verdicts_strings(doc, arguments, 2);
    doc->argument_count = 2;
    doc->build_id = "00ff";
    doc->seed = 7;
    doc->strategy = "portfolio";
    doc->budget = 10000;
    doc->time = 60;
    doc->steps = 1000000;
    doc->observe = hd_verdicts_strings(doc, observe, 2);
    doc->observe_count = 2;
    struct hd_verdict_failure *failure = hd_verdicts_failure(doc);
    failure->kind = HD_FAILURE_ASSERTION;
    failure->message = "n == 2";
    failure->location = (struct hd_place){"main", "bank.c", 40};
    failure->executions = 3;
    failure->schedule = some_schedule();
    add_warning("deposit", HD_CONFIRMED, HD_HARMFUL);
    add_warning("withdraw", HD_REFUTED, HD_IMPACT_NONE);
    add_warning("look", HD_UNDECIDED, HD_IMPACT_NONE);
    add_warning("count", HD_CONFIRMED, HD_IMPACT_NONE);
    hd_verdicts_note(doc, "an object was not compiled by %s", "heddle-cc");
    hd_verdicts_note(doc, "an object was not compiled by %s", "heddle-cc");
    hd_verdicts_outcome(doc, "exit 0, stdout \"\xc3\xa4\xff\n\"", 12);
    doc->executions = 214;
    doc->ended_by = "complete";
    doc->exhausted = true;
    doc->seconds = 0.1234567;
    hd_verdicts_finish(doc);
}

static char *contents(void) {
    size_t size;
    return hd_file_read(path, 1 << 20, &size, NULL);
}

static void validates(void) {
    char command[256];
    snprintf(command, sizeof command,
             "python3 harness/tests/validate.py docs/verdict.schema.json %s", path);
    TEST_ASSERT_EQUAL_INT(0, system(command));
}

static void test_a_full_document_follows_the_schema(void) {
    fill();
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, hd_verdicts_write(doc, path, &error), error.text);
    validates();
}

static void test_an_empty_document_follows_the_schema(void) {
    hd_verdicts_finish(doc);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, hd_verdicts_write(doc, path, &error), error.text);
    validates();
}

static void test_the_bytes_are_those_of_the_golden_file(void) {
    fill();
    TEST_ASSERT_EQUAL_INT(0, hd_verdicts_write(doc, path, &error));
    char *text = contents();
    size_t size;
    const char *golden = "harness/tests/golden/verdict.json";
    if (getenv("HD_GOLDEN"))
        TEST_ASSERT_EQUAL_INT(0, hd_verdicts_write(doc, golden, &error));
    char *wanted = hd_file_read(golden, 1 << 20, &size, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(wanted, error.text);
    TEST_ASSERT_EQUAL_STRING(wanted, text);
    free(wanted);
    free(text);
}

static void test_what_was_written_is_read_back(void) {
    fill();
    TEST_ASSERT_EQUAL_INT(0, hd_verdicts_write(doc, path, &error));
    char *first = contents();
    struct hd_verdicts *back = hd_verdicts_read(path, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(back, error.text);
    back->seconds = doc->seconds;
    TEST_ASSERT_EQUAL_INT(0, hd_verdicts_write(back, path, &error));
    char *second = contents();
    TEST_ASSERT_EQUAL_STRING(first, second);
    hd_verdicts_free(back);
    free(first);
    free(second);
}

static void test_a_schedule_is_found_by_id(void) {
    fill();
    const struct hd_schedule *schedule =
        hd_verdicts_schedule(doc, doc->warnings[0].id, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(schedule, error.text);
    TEST_ASSERT_EQUAL_UINT64(7, schedule->steps[1].events);
    TEST_ASSERT_NOT_NULL(hd_verdicts_schedule(doc, doc->failures[0].id, &error));
    char wanted[128];
    TEST_ASSERT_NULL(hd_verdicts_schedule(doc, doc->warnings[1].id, &error));
    snprintf(wanted, sizeof wanted, "#%s has no schedule to replay: it is refuted",
             doc->warnings[1].id);
    TEST_ASSERT_EQUAL_STRING(wanted, error.text);
    char near[16];
    snprintf(near, sizeof near, "%s0", doc->warnings[0].id);
    memset(&error, 0, sizeof error);
    TEST_ASSERT_NULL(hd_verdicts_schedule(doc, near, &error));
    snprintf(wanted, sizeof wanted, "#%s: no such entry; there is %s", near,
             doc->warnings[0].id);
    TEST_ASSERT_EQUAL_STRING(wanted, error.text);
}

static void test_the_summary_counts_each_verdict(void) {
    fill();
    TEST_ASSERT_EQUAL_UINT64(1, doc->summary.failures);
    TEST_ASSERT_EQUAL_UINT64(1, doc->summary.confirmed_harmful);
    TEST_ASSERT_EQUAL_UINT64(0, doc->summary.confirmed_benign);
    TEST_ASSERT_EQUAL_UINT64(1, doc->summary.confirmed_unknown);
    TEST_ASSERT_EQUAL_UINT64(1, doc->summary.refuted);
    TEST_ASSERT_EQUAL_UINT64(1, doc->summary.undecided);
    TEST_ASSERT_EQUAL_UINT(1, doc->note_count);
}

static void test_ids_stay_when_lines_threads_and_order_change(void) {
    add_warning("deposit", HD_UNDECIDED, HD_IMPACT_NONE);
    hd_verdicts_finish(doc);
    char id[16];
    strcpy(id, doc->warnings[0].id);
    hd_verdicts_free(doc);
    doc = hd_verdicts_new();
    add_warning("withdraw", HD_UNDECIDED, HD_IMPACT_NONE);
    struct hd_verdict_warning *moved =
        add_warning("deposit", HD_UNDECIDED, HD_IMPACT_NONE);
    moved->transaction.line = 99;
    moved->accesses[0].place.line = 100;
    moved->accesses[0].thread = "0.9";
    hd_verdicts_finish(doc);
    TEST_ASSERT_EQUAL_STRING(id, doc->warnings[1].id);
    TEST_ASSERT_TRUE(strcmp(id, doc->warnings[0].id) != 0);
}

static void test_ids_do_not_count_allocations(void) {
    static const char *const names[] = {"node#2.next", "node#0.1:17.next",
                                        "node#2.value"};
    char ids[3][16];
    for (int i = 0; i < 3; i++) {
        hd_verdicts_free(doc);
        doc = hd_verdicts_new();
        struct hd_verdict_warning *warning =
            add_warning("push", HD_UNDECIDED, HD_IMPACT_NONE);
        warning->accesses[0].variable = warning->accesses[1].variable = names[i];
        hd_verdicts_finish(doc);
        strcpy(ids[i], doc->warnings[0].id);
    }
    TEST_ASSERT_EQUAL_STRING(ids[0], ids[1]);
    TEST_ASSERT_TRUE(strcmp(ids[0], ids[2]) != 0);
}

static void test_two_entries_about_the_same_get_two_ids(void) {
    add_warning("deposit", HD_UNDECIDED, HD_IMPACT_NONE);
    add_warning("deposit", HD_UNDECIDED, HD_IMPACT_NONE);
    hd_verdicts_finish(doc);
    TEST_ASSERT_TRUE(strcmp(doc->warnings[0].id, doc->warnings[1].id) != 0);
}

static void test_known_warnings_do_not_fail_the_run(void) {
    fill();
    TEST_ASSERT_EQUAL_INT(1, hd_verdicts_status(doc, NULL));
    TEST_ASSERT_EQUAL_INT(0, hd_verdicts_status(doc, doc));
    struct hd_verdicts *clean = hd_verdicts_new();
    hd_verdicts_finish(clean);
    TEST_ASSERT_EQUAL_INT(0, hd_verdicts_status(clean, NULL));
    TEST_ASSERT_EQUAL_INT(1, hd_verdicts_status(doc, clean));
    hd_verdicts_free(clean);
}

/* Rule (2): somebody who says "refuted" after an incomplete search stops heddle. */
static int finish_in_a_child(void) {
    int status;
    pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr)) _exit(9);
        hd_verdicts_finish(doc);
        _exit(0);
    }
    waitpid(child, &status, 0);
    return status;
}

static void test_a_promise_that_is_not_kept_stops_heddle(void) {
    struct hd_verdict_warning *warning =
        add_warning("deposit", HD_REFUTED, HD_IMPACT_NONE);
    TEST_ASSERT_EQUAL_INT(0, finish_in_a_child());
    warning->evidence.exhaustive = false;
    TEST_ASSERT_EQUAL_INT(134, WEXITSTATUS(finish_in_a_child()));
    warning->verdict = HD_CONFIRMED;
    TEST_ASSERT_EQUAL_INT(134, WEXITSTATUS(finish_in_a_child()));
    warning->verdict = HD_UNDECIDED;
    warning->impact = HD_HARMFUL;
    TEST_ASSERT_EQUAL_INT(134, WEXITSTATUS(finish_in_a_child()));
}

static void test_a_full_disk_is_reported(void) {
    hd_verdicts_finish(doc);
    TEST_ASSERT_EQUAL_INT(-1, hd_verdicts_write(doc, "/dev/full", &error));
    TEST_ASSERT_EQUAL_STRING("cannot write /dev/full: No space left on device",
                             error.text);
}

static void test_missing_folders_are_made(void) {
    char deep[256];
    hd_verdicts_finish(doc);
    snprintf(deep, sizeof deep, "%s/a/b/v.json", folder);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, hd_verdicts_write(doc, deep, &error), error.text);
    TEST_ASSERT_EQUAL_INT(0, unlink(deep));
    *strrchr(deep, '/') = '\0';
    rmdir(deep);
    *strrchr(deep, '/') = '\0';
    rmdir(deep);
}

static void reads_as(const char *text, const char *message) {
    char wanted[256];
    FILE *out = fopen(path, "w");
    fputs(text, out);
    fclose(out);
    memset(&error, 0, sizeof error);
    TEST_ASSERT_NULL(hd_verdicts_read(path, &error));
    snprintf(wanted, sizeof wanted, "%s%s", path, message);
    TEST_ASSERT_EQUAL_STRING(wanted, error.text);
}

static void test_other_files_are_refused_with_the_place(void) {
    reads_as("{}", ": not a verdict file of heddle");
    reads_as("[1]", ": not a verdict file of heddle");
    reads_as(
        "{\"heddle\": {\"version\": \"9\", \"schema\": 2}}",
        ": heddle: schema 2 is found, 1 is read here: write it again with this heddle");
    reads_as("{\"heddle\": {\"version\": \"9\", \"schema\": 1}}",
             ": failures: expected an array, found nothing");
    reads_as("{\"heddle\": ", ":1:11: unexpected token near end of file");
}

/* Change one thing in a good file and see it named. */
static void changed(const char *from, const char *to, const char *message) {
    TEST_ASSERT_EQUAL_INT(0, hd_verdicts_write(doc, path, &error));
    char *text = contents(), *at = strstr(text, from);
    TEST_ASSERT_NOT_NULL_MESSAGE(at, from);
    char *other = malloc(strlen(text) + strlen(to) + 1);
    sprintf(other, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    reads_as(other, message);
    free(other);
    free(text);
}

static void test_a_changed_value_is_named(void) {
    fill();
    changed("\"verdict\": \"refuted\"", "\"verdict\": \"maybe\"",
            ": warnings[1].verdict: \"maybe\" is not a word that heddle knows here");
    changed("\"seed\": 7", "\"seed\": -7",
            ": configuration.seed: expected a number of at least 0, found a number");
    changed("\"0.2\", 7", "\"7\", 7",
            ": failures[0].schedule.choices[1][0]: expected a thread (0, 0.2, 0.2.1), "
            "found 7");
    changed("\"locks\": [\"guard\"]", "\"locks\": [null]",
            ": warnings[0].accesses[0].locks[0]: expected a string, found null");
}

static void test_every_cut_file_is_refused(void) {
    fill();
    TEST_ASSERT_EQUAL_INT(0, hd_verdicts_write(doc, path, &error));
    char *text = contents();
    size_t size = strlen(text) - 2; /* without the newline and the last brace */
    for (size_t cut = 0; cut < size; cut += 7) {
        FILE *out = fopen(path, "w");
        fwrite(text, 1, cut, out);
        fclose(out);
        memset(&error, 0, sizeof error);
        TEST_ASSERT_NULL(hd_verdicts_read(path, &error));
        TEST_ASSERT_TRUE(error.text[0]);
    }
    free(text);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_a_full_document_follows_the_schema);
    RUN_TEST(test_an_empty_document_follows_the_schema);
    RUN_TEST(test_the_bytes_are_those_of_the_golden_file);
    RUN_TEST(test_what_was_written_is_read_back);
    RUN_TEST(test_a_schedule_is_found_by_id);
    RUN_TEST(test_the_summary_counts_each_verdict);
    RUN_TEST(test_ids_stay_when_lines_threads_and_order_change);
    RUN_TEST(test_ids_do_not_count_allocations);
    RUN_TEST(test_two_entries_about_the_same_get_two_ids);
    RUN_TEST(test_known_warnings_do_not_fail_the_run);
    RUN_TEST(test_a_promise_that_is_not_kept_stops_heddle);
    RUN_TEST(test_a_full_disk_is_reported);
    RUN_TEST(test_missing_folders_are_made);
    RUN_TEST(test_other_files_are_refused_with_the_place);
    RUN_TEST(test_a_changed_value_is_named);
    RUN_TEST(test_every_cut_file_is_refused);
    return UNITY_END();
}

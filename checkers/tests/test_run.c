/* test_run.c - lists of checkers, memory that runs out, warnings that repeat. */
#include "checkers/run.h"
#include "checkers/tests/line.h"
#include "checkers/tests/oracle.h"

#include "unity.h"

#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static const char bank[] = "T0 fork T1\n"
                           "T0 fork T2\n"
                           "T1 begin deposit @bank.c:1\n"
                           "T1 acq m @bank.c:2\n"
                           "T1 rd balance @bank.c:3\n"
                           "T1 rel m @bank.c:4\n"
                           "T1 acq m @bank.c:5\n"
                           "T1 wr balance @bank.c:6\n"
                           "T1 rel m @bank.c:7\n"
                           "T1 wr log @bank.c:8\n"
                           "T1 end\n"
                           "T2 begin deposit @bank.c:1\n"
                           "T2 acq m @bank.c:2\n"
                           "T2 rd balance @bank.c:3\n"
                           "T2 rel m @bank.c:4\n"
                           "T2 acq m @bank.c:5\n"
                           "T2 wr balance @bank.c:6\n"
                           "T2 rel m @bank.c:7\n"
                           "T2 wr log @bank.c:8\n"
                           "T2 end\n"
                           "T0 join T1\n"
                           "T0 join T2\n";

static int check(const char *text, const struct hd_check_options *options, char *out, size_t size,
                 struct hd_error *err) {
    struct hd_report *report = NULL;
    struct hd_trace *trace = hd_trace_parse(text, "test", err);
    TEST_ASSERT_NOT_NULL_MESSAGE(trace, err->text);
    int rc = hd_check(trace, options, &report, err);
    out[0] = '\0';
    for (uint32_t i = 0; rc == 0 && i < hd_report_count(report); i++) {
        char line[1024];
        hd_line(report, hd_report_warning(report, i), line, sizeof line);
        hd_line_add(out, size, line, "\n");
    }
    hd_report_free(report);
    hd_trace_free(trace);
    return rc;
}

static void refused(const char *list, const char *part) {
    struct hd_error err = {.text = ""};
    TEST_ASSERT_EQUAL_INT_MESSAGE(-1, hd_check_list(list, &err), list);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, part), err.text);
}

static void test_what_is_wrong_with_a_list_is_named(void) {
    refused("rces", "no such checker; there are blocks");
    refused("", "no such checker");
    refused("races,", "no such checker");
    refused("races:algo=hb", "races has no switch algo; there are algorithm");
    refused("races:algorithm=hbx", "expected pairs|multilockset|hb");
    refused("races:algorithm", "expected switch=value");
    refused("deadlock:length=x", "expected a number");
    refused("deadlock:length=", "expected a number");
    refused("deadlock:length=99999999999999999999", "expected a number");
    refused(":algorithm=hb", "no such checker");
}

static void test_switches_follow_colons_or_commas_and_checkers_may_repeat(void) {
    TEST_ASSERT_EQUAL_INT(0, hd_check_list("races:algorithm=hb,escape=off,races,deadlock:length=3",
                                           NULL));
    TEST_ASSERT_EQUAL_INT(0, hd_check_list("races:algorithm=hb:escape=off", NULL));
    TEST_ASSERT_EQUAL_INT(0, hd_check_list(NULL, NULL));
}

static void test_all_checkers_together_say_what_each_says_alone(void) {
    static char all[1 << 14], one[1 << 14], joined[1 << 14];
    struct hd_error err = {.text = ""};
    struct hd_check_options options = {.transactions = "annotated"};
    TEST_ASSERT_EQUAL_INT(0, check(bank, &options, all, sizeof all, &err));
    joined[0] = '\0';
    for (int i = 0; hd_checkers[i]; i++) {
        options.checkers = hd_checkers[i]->name;
        TEST_ASSERT_EQUAL_INT(0, check(bank, &options, one, sizeof one, &err));
        hd_line_add(joined, sizeof joined, one, "");
    }
    TEST_ASSERT_EQUAL_STRING(joined, all);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(all, "race log W-W"), all);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(all, "atomicity deposit"), all);
}

/* Wherever memory ends, the pass ends with a message and nothing is lost. */
static void test_memory_may_end_anywhere(void) {
    static char full[1 << 14], out[1 << 14];
    struct hd_error err = {.text = ""};
    struct hd_check_options options = {.transactions = "annotated"};
    TEST_ASSERT_EQUAL_INT(0, check(bank, &options, full, sizeof full, &err));
    uint32_t failed = 0, limit = 1;
    for (;; limit += 1 + limit / 200) {
        options.memory = limit;
        err.text[0] = '\0';
        if (check(bank, &options, out, sizeof out, &err) == 0) break;
        TEST_ASSERT_NOT_EQUAL(0, err.text[0]);
        failed++;
    }
    TEST_ASSERT_GREATER_THAN_UINT32(100, failed);
    TEST_ASSERT_EQUAL_STRING(full, out);
}

static void test_the_same_finding_again_is_an_instance(void) {
    struct hd_arena *arena = hd_arena_new();
    struct hd_notes *notes = hd_notes_new(arena);
    struct hd_warnings *out = hd_warnings_new(arena, "test", notes);
    struct hd_warning w = {.kind = HD_RACE, .key = {1}, .variant = {1}, .region = HD_NO_ID};
    hd_warnings_add(out, &w);
    hd_warnings_add(out, &w);
    TEST_ASSERT_TRUE(hd_warnings_again(out, HD_RACE, w.key, w.variant));
    TEST_ASSERT_FALSE(hd_warnings_again(out, HD_DEADLOCK, w.key, w.variant));
    w.variant[0] = 2;
    TEST_ASSERT_FALSE(hd_warnings_again(out, HD_RACE, w.key, w.variant));
    hd_warnings_add(out, &w);
    TEST_ASSERT_EQUAL_UINT32(1, hd_warnings_count(out));
    const struct hd_warning *first = hd_warnings_at(out, 0);
    TEST_ASSERT_EQUAL_UINT64(4, first->instances);
    TEST_ASSERT_EQUAL_UINT32(2, first->variant_count);
    TEST_ASSERT_NOT_NULL(first->next_variant);
    TEST_ASSERT_EQUAL_UINT32(2, first->next_variant->variant[0]);
    TEST_ASSERT_EQUAL_STRING("test", first->next_variant->checker);
    hd_arena_free(arena);
}

static void test_floods_are_cut_with_a_note(void) {
    struct hd_arena *arena = hd_arena_new();
    struct hd_notes *notes = hd_notes_new(arena);
    struct hd_warnings *out = hd_warnings_new(arena, "test", notes);
    struct hd_warning w = {.kind = HD_RACE, .region = HD_NO_ID};
    for (uint32_t i = 0; i < HD_WARNING_CAP + 50; i++) {
        w.key[0] = i;
        hd_warnings_add(out, &w);
    }
    TEST_ASSERT_EQUAL_UINT32(HD_WARNING_CAP, hd_warnings_count(out));
    TEST_ASSERT_EQUAL_UINT32(1, hd_notes_count(notes));
    w.key[0] = 0;
    for (uint32_t i = 0; i < 100; i++) {
        w.variant[0] = i;
        hd_warnings_add(out, &w);
    }
    hd_warnings_sort(out);
    TEST_ASSERT_EQUAL_UINT32(HD_WARNING_VARIANTS, hd_warnings_at(out, 0)->variant_count);
    TEST_ASSERT_EQUAL_UINT64(101, hd_warnings_at(out, 0)->instances);
    hd_arena_free(arena);
}

static void test_notes_that_repeat_are_counted(void) {
    struct hd_arena *arena = hd_arena_new();
    struct hd_notes *notes = hd_notes_new(arena);
    hd_note(notes, "odd %d", 1);
    hd_note(notes, "odd %d", 1);
    for (int i = 0; i < 1000; i++) hd_note(notes, "flood %d", i);
    TEST_ASSERT_EQUAL_STRING("odd 1 (2 times)", hd_notes_at(notes, 0));
    TEST_ASSERT_EQUAL_STRING("flood 0", hd_notes_at(notes, 1));
    TEST_ASSERT_EQUAL_STRING("further notes were left out",
                             hd_notes_at(notes, hd_notes_count(notes) - 1));
    hd_arena_free(arena);
}

/* Runs of random programs, some broken off, under every checker and policy. */
static void test_no_run_of_a_program_stops_a_checker(void) {
    static struct hd_oracle_case it;
    static struct hd_oracle_run run;
    static char text[1 << 16], out[1 << 16];
    static const char *const policies[] = {"default", "annotated", "functions", "regions", "none"};
    struct hd_oracle_rng rng = {77};
    struct hd_oracle_shape shape = {.threads = 4, .txns = 3, .accesses = 4, .outside = 20,
                                    .variables = 3, .locks = 3, .guarded = 60, .writes = 40,
                                    .locking = HD_ORACLE_ACROSS, .reentrant = true,
                                    .readers = true, .atomics = true, .nested = true,
                                    .fork_inside = true, .forks = 50, .joins = 50, .barriers = 1,
                                    .semaphores = 1};
    for (int i = 0; i < (getenv("SOAK") ? 40000 : 1500); i++) {
        struct hd_error err = {.text = ""};
        struct hd_check_options options = {.transactions = policies[i % 5]};
        hd_oracle_make(&it, &shape, &rng);
        hd_oracle_run_random(&it, &rng, &run);
        uint32_t length = hd_oracle_text(&it, &run, text, sizeof text);
        if (i % 3 == 0) { /* cut in the middle of the run, at a line */
            length = hd_oracle_below(&rng, length);
            while (length && text[length - 1] != '\n') length--;
            text[length] = '\0';
        }
        if (!length) continue;
        TEST_ASSERT_EQUAL_INT_MESSAGE(0, check(text, &options, out, sizeof out, &err), err.text);
    }
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_what_is_wrong_with_a_list_is_named);
    RUN_TEST(test_switches_follow_colons_or_commas_and_checkers_may_repeat);
    RUN_TEST(test_all_checkers_together_say_what_each_says_alone);
    RUN_TEST(test_memory_may_end_anywhere);
    RUN_TEST(test_the_same_finding_again_is_an_instance);
    RUN_TEST(test_floods_are_cut_with_a_note);
    RUN_TEST(test_notes_that_repeat_are_counted);
    RUN_TEST(test_no_run_of_a_program_stops_a_checker);
    return UNITY_END();
}

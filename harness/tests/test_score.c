/* test_score.c - RacerX's evidence, row by row, and what a trace says of a variable. */
#include "harness/score.h"

#include "checkers/run.h"
#include "unity.h"

#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static int64_t score(struct hd_score_facts facts) { return hd_score(&facts, false); }

static void test_nothing_known_is_nothing(void) {
    TEST_ASSERT_EQUAL_INT64(0, score((struct hd_score_facts){0}));
}

static void test_the_only_object_once_or_more(void) {
    TEST_ASSERT_EQUAL_INT64(2, score((struct hd_score_facts){.only = 1}));
    TEST_ASSERT_EQUAL_INT64(4, score((struct hd_score_facts){.only = 2}));
    TEST_ASSERT_EQUAL_INT64(4, score((struct hd_score_facts){.only = 9}));
}

static void test_first_and_last_count_once(void) {
    TEST_ASSERT_EQUAL_INT64(1, score((struct hd_score_facts){.first = 3}));
    TEST_ASSERT_EQUAL_INT64(1, score((struct hd_score_facts){.last = 3}));
    TEST_ASSERT_EQUAL_INT64(2, score((struct hd_score_facts){.first = 1, .last = 1}));
}

/* z of n accesses, all protected: (1 - 0.9) / sqrt(0.09 / n) = sqrt(n) / 3. */
static void test_protected_more_often_than_expected(void) {
    TEST_ASSERT_EQUAL_INT64(0, score((struct hd_score_facts){.protected = 36, .total = 36}));
    TEST_ASSERT_EQUAL_INT64(2, score((struct hd_score_facts){.protected = 37, .total = 37}));
}

/* None of n: -3 sqrt(n). */
static void test_hardly_protected_counts_against_what_is_not_global(void) {
    TEST_ASSERT_EQUAL_INT64(-2, score((struct hd_score_facts){.total = 4}));
    TEST_ASSERT_EQUAL_INT64(0, score((struct hd_score_facts){.total = 4, .global = true}));
}

static void test_unprotected_neighbours_are_alternatives(void) {
    TEST_ASSERT_EQUAL_INT64(0, score((struct hd_score_facts){.around = 1}));
    TEST_ASSERT_EQUAL_INT64(1, score((struct hd_score_facts){.around = 2}));
    TEST_ASSERT_EQUAL_INT64(1, score((struct hd_score_facts){.around = 4}));
    TEST_ASSERT_EQUAL_INT64(2, score((struct hd_score_facts){.around = 5}));
}

static void test_wide_and_written(void) {
    struct hd_score_facts facts = {.wide = true};
    TEST_ASSERT_EQUAL_INT64(1, hd_score(&facts, false));
    TEST_ASSERT_EQUAL_INT64(2, hd_score(&facts, true));
}

static void test_agreement_outweighs_all_of_it(void) {
    struct hd_score_facts all = {.only = 2, .first = 1, .last = 1, .protected = 100, .total = 100,
                                 .around = 5, .global = true, .wide = true};
    TEST_ASSERT_EQUAL_INT64(12, hd_score(&all, true));
    TEST_ASSERT_TRUE(HD_SCORE_AGREEMENT > 12 + 2);
}

/* Of the races in a trace, the score of the one on this variable. */
static int64_t in_trace(const char *text, const char *variable) {
    struct hd_error err = {0};
    struct hd_trace *trace = hd_trace_parse(text, "test", &err);
    TEST_ASSERT_NOT_NULL_MESSAGE(trace, err.text);
    struct hd_report *report = NULL;
    struct hd_check_options how = {"races:algorithm=hb", NULL, 0};
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, hd_check(trace, &how, &report, &err), err.text);
    struct hd_scores *scores = hd_scores_new(trace, NULL, &err);
    TEST_ASSERT_NOT_NULL_MESSAGE(scores, err.text);
    int64_t found = -100;
    for (uint32_t i = 0; i < hd_report_count(report); i++) {
        const struct hd_warning *w = hd_report_warning(report, i);
        char room[64];
        const char *name = hd_trace_variable_name(
            trace, hd_trace_granule_variable(trace, w->accesses[0].obj), room, sizeof room);
        if (strcmp(name, variable) == 0) found = hd_scores_warning(scores, w);
    }
    hd_scores_free(scores);
    hd_report_free(report);
    hd_trace_free(trace);
    return found;
}

/* x alone under a lock twice (4), first (1) and last (1), written (1), and one
 * unprotected write by itself. y only without a lock: its z is below -2 and a text
 * trace's variables are not known to be global. */
static void test_a_variable_with_a_lock_of_its_own_comes_first(void) {
    static const char text[] = "T0 fork T1\n"
                               "T0 acq m\nT0 wr x\nT0 rel m\n"
                               "T0 acq m\nT0 wr x\nT0 rel m\n"
                               "T0 wr y\n"
                               "T0 acq n\nT0 rel n\n"
                               "T1 wr x\nT1 wr y\n";
    TEST_ASSERT_EQUAL_INT64(4 + 1 + 1 + 1 + 1, in_trace(text, "x"));
    TEST_ASSERT_EQUAL_INT64(-2 + 1 + 1, in_trace(text, "y"));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_nothing_known_is_nothing);
    RUN_TEST(test_the_only_object_once_or_more);
    RUN_TEST(test_first_and_last_count_once);
    RUN_TEST(test_protected_more_often_than_expected);
    RUN_TEST(test_hardly_protected_counts_against_what_is_not_global);
    RUN_TEST(test_unprotected_neighbours_are_alternatives);
    RUN_TEST(test_wide_and_written);
    RUN_TEST(test_agreement_outweighs_all_of_it);
    RUN_TEST(test_a_variable_with_a_lock_of_its_own_comes_first);
    return UNITY_END();
}

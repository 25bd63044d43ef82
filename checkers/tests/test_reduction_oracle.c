/* test_reduction_oracle.c - reduction against brute force, and blocks against it.
 *
 * Reduction may doubt a set that is atomic; it must never trust one that is not.
 * What blocks report of one variable at a time, reduction doubts too, for the
 * same transaction. SOAK=1 tries more. */
#include "checkers/run.h"
#include "checkers/tests/oracle.h"

#include "unity.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static struct hd_oracle_case it;
static struct hd_oracle_run run;
static char text[1 << 16];
static char message[(1 << 16) + 256];

static uint32_t sets(uint32_t usual) { return getenv("SOAK") ? usual * 20 : usual; }

/* The regions that a checker warns of, as bits. */
static uint64_t accused(const char *checker) {
    struct hd_error err = {.text = ""};
    struct hd_check_options options = {.checkers = checker, .transactions = "annotated"};
    struct hd_report *report = NULL;
    struct hd_trace *trace = hd_trace_parse(text, "random", &err);
    TEST_ASSERT_NOT_NULL_MESSAGE(trace, err.text);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, hd_check(trace, &options, &report, &err), err.text);
    uint64_t regions = 0;
    for (uint32_t i = 0; i < hd_report_count(report); i++) {
        regions |= (uint64_t)1 << (hd_report_warning(report, i)->region & 63);
    }
    hd_report_free(report);
    hd_trace_free(trace);
    return regions;
}

static void next_set(const struct hd_oracle_shape *shape, struct hd_oracle_rng *rng) {
    do {
        hd_oracle_make(&it, shape, rng);
    } while (hd_oracle_deadlock(&it));
    hd_oracle_run_random(&it, rng, &run);
    hd_oracle_text(&it, &run, text, sizeof text);
}

static const struct hd_oracle_shape usual = {.threads = 2,
                                             .txns = 2,
                                             .accesses = 4,
                                             .variables = 2,
                                             .locks = 2,
                                             .guarded = 70,
                                             .writes = 40,
                                             .locking = HD_ORACLE_NESTED,
                                             .forks = 30,
                                             .joins = 50};

/* Returns how many sets were trusted. */
static uint32_t distrust(const char *checker, struct hd_oracle_shape shape, uint64_t seed,
                         uint32_t count) {
    struct hd_oracle_rng rng = {seed};
    uint32_t trusted = 0;
    for (uint32_t n = 0; n < count; n++) {
        next_set(&shape, &rng);
        if (accused(checker)) continue;
        trusted++;
        if (hd_oracle_view_atomic(&it, true)) continue;
        snprintf(message, sizeof message, "%s trusts set %u, which is not atomic:\n%s",
                 checker, n, text);
        TEST_FAIL_MESSAGE(message);
    }
    return trusted;
}

static void expect_some(uint32_t trusted, uint32_t count) {
    TEST_ASSERT_TRUE_MESSAGE(trusted > count / 50,
                             "hardly a set was trusted: nothing is shown");
}

static void test_theorem_2_trusts_no_set_that_is_not_atomic(void) {
    uint32_t count = sets(12000);
    expect_some(distrust("reduction", usual, 21, count), count);
}

static void test_theorem_1_trusts_no_set_that_is_not_atomic(void) {
    uint32_t count = sets(8000);
    expect_some(distrust("reduction:options=multilockset", usual, 22, count), count);
}

static void test_three_threads_and_reentrant_locks(void) {
    struct hd_oracle_shape shape = usual;
    shape.threads = 3;
    shape.txns = 1;
    shape.accesses = 3;
    shape.reentrant = true;
    uint32_t count = sets(6000);
    expect_some(distrust("reduction", shape, 23, count), count);
}

static void test_locks_that_do_not_nest(void) {
    struct hd_oracle_shape shape = usual;
    shape.locking = HD_ORACLE_HAND_OVER;
    shape.guarded = 90;
    uint32_t count = sets(8000);
    expect_some(distrust("reduction", shape, 24, count), count);
}

static void test_locks_held_across_transactions(void) {
    struct hd_oracle_shape shape = usual;
    shape.locking = HD_ORACLE_ACROSS;
    shape.guarded = 90;
    uint32_t count = sets(6000);
    expect_some(distrust("reduction", shape, 25, count), count);
}

static void test_reader_writer_locks_and_atomics(void) {
    struct hd_oracle_shape shape = usual;
    shape.readers = shape.atomics = true;
    uint32_t count = sets(6000);
    expect_some(distrust("reduction", shape, 26, count), count);
}

static void test_accesses_outside_of_transactions(void) {
    struct hd_oracle_shape shape = usual;
    shape.outside = 30;
    uint32_t count = sets(6000);
    expect_some(distrust("reduction", shape, 27, count), count);
}

static void test_what_blocks_report_of_one_variable_reduction_doubts(void) {
    struct hd_oracle_rng rng = {28};
    struct hd_oracle_shape shape = usual;
    shape.threads = 3;
    uint32_t count = sets(8000), reported = 0;
    for (uint32_t n = 0; n < count; n++) {
        next_set(&shape, &rng);
        uint64_t blocks = accused("blocks:theorem=3");
        reported += blocks != 0;
        if (!(blocks & ~accused("reduction"))) continue;
        snprintf(message, sizeof message,
                 "set %u: reduction trusts what blocks report:\n%s", n, text);
        TEST_FAIL_MESSAGE(message);
    }
    TEST_ASSERT_TRUE(reported > count / 20);
}

static void test_what_blocks_report_of_two_variables_reduction_does_not_pass(void) {
    struct hd_oracle_rng rng = {29};
    struct hd_oracle_shape shape = usual;
    shape.variables = 3;
    uint32_t count = sets(6000), reported = 0;
    for (uint32_t n = 0; n < count; n++) {
        next_set(&shape, &rng);
        if (!accused("blocks")) continue;
        reported++;
        if (accused("reduction")) continue;
        snprintf(message, sizeof message,
                 "set %u: reduction passes what blocks report:\n%s", n, text);
        TEST_FAIL_MESSAGE(message);
    }
    TEST_ASSERT_TRUE(reported > count / 20);
}

int main(void) {
    /* Buffers of a megabyte a set: keep them, instead of asking the kernel each time. */
    mallopt(M_MMAP_THRESHOLD, 1 << 25);
    mallopt(M_TRIM_THRESHOLD, 1 << 28);
    UNITY_BEGIN();
    RUN_TEST(test_theorem_2_trusts_no_set_that_is_not_atomic);
    RUN_TEST(test_theorem_1_trusts_no_set_that_is_not_atomic);
    RUN_TEST(test_three_threads_and_reentrant_locks);
    RUN_TEST(test_locks_that_do_not_nest);
    RUN_TEST(test_locks_held_across_transactions);
    RUN_TEST(test_reader_writer_locks_and_atomics);
    RUN_TEST(test_accesses_outside_of_transactions);
    RUN_TEST(test_what_blocks_report_of_one_variable_reduction_doubts);
    RUN_TEST(test_what_blocks_report_of_two_variables_reduction_does_not_pass);
    return UNITY_END();
}

/* test_reduction_oracle.c - reduction against brute force, and blocks against it.
 *
 * Reduction may doubt a set that is atomic; it must never trust one that is not.
 * What blocks report of one variable at a time, reduction doubts too, for the
 * same transaction. SOAK=1 tries more. */
#include "checkers/tests/ask.h"

#include "unity.h"

void setUp(void) {}
void tearDown(void) {}

static struct hd_ask set;

static struct hd_asked accused(const char *checker) { return hd_ask(&set, checker, "annotated"); }

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
        hd_ask_draw_live(&set, &shape, &rng);
        if (accused(checker).count) continue;
        trusted++;
        if (hd_oracle_view_atomic(&set.it, true)) continue;
        TEST_FAIL_MESSAGE(hd_ask_disagree(&set, n, "%s trusts it, and it is not atomic", checker));
    }
    return trusted;
}

static void expect_some(uint32_t trusted, uint32_t count) {
    TEST_ASSERT_TRUE_MESSAGE(trusted > count / 50,
                             "hardly a set was trusted: nothing is shown");
}

static void test_theorem_2_trusts_no_set_that_is_not_atomic(void) {
    uint32_t count = hd_ask_count(40000);
    expect_some(distrust("reduction", usual, 21, count), count);
}

static void test_theorem_1_trusts_no_set_that_is_not_atomic(void) {
    uint32_t count = hd_ask_count(14000);
    expect_some(distrust("reduction:options=multilockset", usual, 22, count), count);
}

static void test_three_threads_and_reentrant_locks(void) {
    struct hd_oracle_shape shape = usual;
    shape.threads = 3;
    shape.txns = 1;
    shape.accesses = 3;
    shape.reentrant = true;
    uint32_t count = hd_ask_count(10000);
    expect_some(distrust("reduction", shape, 23, count), count);
}

static void test_locks_that_do_not_nest(void) {
    struct hd_oracle_shape shape = usual;
    shape.locking = HD_ORACLE_HAND_OVER;
    shape.guarded = 90;
    uint32_t count = hd_ask_count(14000);
    expect_some(distrust("reduction", shape, 24, count), count);
}

static void test_locks_held_across_transactions(void) {
    struct hd_oracle_shape shape = usual;
    shape.locking = HD_ORACLE_ACROSS;
    shape.guarded = 90;
    uint32_t count = hd_ask_count(8000);
    expect_some(distrust("reduction", shape, 25, count), count);
}

static void test_reader_writer_locks_and_atomics(void) {
    struct hd_oracle_shape shape = usual;
    shape.readers = shape.atomics = true;
    uint32_t count = hd_ask_count(8000);
    expect_some(distrust("reduction", shape, 26, count), count);
}

static void test_accesses_outside_of_transactions(void) {
    struct hd_oracle_shape shape = usual;
    shape.outside = 30;
    uint32_t count = hd_ask_count(6000);
    expect_some(distrust("reduction", shape, 27, count), count);
}

static void test_what_blocks_report_of_one_variable_reduction_doubts(void) {
    struct hd_oracle_rng rng = {28};
    struct hd_oracle_shape shape = usual;
    shape.threads = 3;
    uint32_t count = hd_ask_count(8000), reported = 0;
    for (uint32_t n = 0; n < count; n++) {
        hd_ask_draw_live(&set, &shape, &rng);
        struct hd_asked blocks = accused("blocks:theorem=3"), reduction = accused("reduction");
        reported += blocks.count != 0;
        if (hd_asked_within(&blocks, &reduction)) continue;
        TEST_FAIL_MESSAGE(hd_ask_disagree(&set, n, "reduction trusts what blocks report"));
    }
    TEST_ASSERT_TRUE(reported > count / 20);
}

static void test_what_blocks_report_of_two_variables_reduction_does_not_pass(void) {
    struct hd_oracle_rng rng = {29};
    struct hd_oracle_shape shape = usual;
    shape.variables = 3;
    uint32_t count = hd_ask_count(6000), reported = 0;
    for (uint32_t n = 0; n < count; n++) {
        hd_ask_draw_live(&set, &shape, &rng);
        if (!accused("blocks").count) continue;
        reported++;
        if (accused("reduction").count) continue;
        TEST_FAIL_MESSAGE(hd_ask_disagree(&set, n, "reduction passes what blocks report"));
    }
    TEST_ASSERT_TRUE(reported > count / 20);
}

int main(void) {
    hd_ask_ready();
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

/* test_blocks_oracle.c - the block theorems against brute force.
 *
 * Random sets of transactions: the oracle tries every interleaving and decides
 * view serializability by its definition; the checker sees one run and predicts.
 * They must agree on every set that cannot deadlock. SOAK=1 tries more. */
#include "checkers/tests/ask.h"

#include "unity.h"

void setUp(void) {}
void tearDown(void) {}

static struct hd_ask set;

/* `count` sets without deadlock; counts those that are not atomic. */
static uint32_t compare(const char *checker, struct hd_oracle_shape shape, uint64_t seed,
                        uint32_t count) {
    struct hd_oracle_rng rng = {seed};
    uint32_t guilty = 0;
    for (uint32_t n = 0; n < count; n++) {
        hd_ask_draw_live(&set, &shape, &rng);
        bool atomic = hd_oracle_view_atomic(&set.it, true);
        if (hd_ask(&set, checker, "annotated").count ? atomic : !atomic) {
            TEST_FAIL_MESSAGE(hd_ask_disagree(&set, n, "%s, %s says otherwise",
                                              atomic ? "atomic" : "not atomic", checker));
        }
        guilty += !atomic;
    }
    return guilty;
}

static const struct hd_oracle_shape two = {.threads = 2,
                                           .txns = 1,
                                           .accesses = 5,
                                           .variables = 2,
                                           .locks = 2,
                                           .guarded = 60,
                                           .writes = 50,
                                           .locking = HD_ORACLE_NESTED};

static void expect_some(uint32_t guilty, uint32_t count) {
    TEST_ASSERT_TRUE_MESSAGE(guilty > count / 20 && guilty < count - count / 20,
                             "nearly all sets are alike: nothing is compared");
}

static void test_one_variable_by_theorem_3(void) {
    struct hd_oracle_shape shape = two;
    shape.variables = 1;
    uint32_t count = hd_ask_count(20000);
    expect_some(compare("blocks:theorem=3", shape, 1, count), count);
}

static void test_two_transactions_two_variables_by_theorem_4(void) {
    uint32_t count = hd_ask_count(50000);
    expect_some(compare("blocks", two, 2, count), count);
}

static void test_three_variables_three_locks_by_theorem_4(void) {
    struct hd_oracle_shape shape = two;
    shape.variables = shape.locks = 3;
    shape.guarded = 80;
    uint32_t count = hd_ask_count(20000);
    expect_some(compare("blocks", shape, 3, count), count);
}

static void test_reentrant_locks_by_theorem_4(void) {
    struct hd_oracle_shape shape = two;
    shape.reentrant = true;
    uint32_t count = hd_ask_count(10000);
    expect_some(compare("blocks", shape, 4, count), count);
}

static void test_reader_writer_locks_by_theorem_4(void) {
    struct hd_oracle_shape shape = two;
    shape.readers = true;
    uint32_t count = hd_ask_count(10000);
    expect_some(compare("blocks", shape, 5, count), count);
}

static void test_atomic_read_and_write_by_theorem_4(void) {
    struct hd_oracle_shape shape = two;
    shape.atomics = true;
    uint32_t count = hd_ask_count(10000);
    expect_some(compare("blocks", shape, 6, count), count);
}

static void test_locks_handed_over_by_the_progress_graph(void) {
    struct hd_oracle_shape shape = two;
    shape.locking = HD_ORACLE_HAND_OVER;
    shape.guarded = 80;
    uint32_t count = hd_ask_count(70000);
    expect_some(compare("blocks:lock-test=graph", shape, 7, count), count);
}

static void test_three_transactions_two_variables_by_theorem_5(void) {
    struct hd_oracle_shape shape = two;
    shape.threads = 3;
    shape.accesses = 3;
    uint32_t count = hd_ask_count(35000);
    expect_some(compare("blocks:theorem=5", shape, 8, count), count);
}

static void test_three_transactions_three_variables_by_theorem_5(void) {
    struct hd_oracle_shape shape = two;
    shape.threads = 3;
    shape.accesses = 3;
    shape.variables = 3;
    uint32_t count = hd_ask_count(35000);
    expect_some(compare("blocks:theorem=5", shape, 9, count), count);
}

static void test_several_transactions_a_thread_by_theorem_5(void) {
    struct hd_oracle_shape shape = two;
    shape.txns = 2;
    shape.accesses = 3;
    shape.forks = 50;
    shape.joins = 50;
    uint32_t count = hd_ask_count(6000);
    expect_some(compare("blocks:theorem=5", shape, 10, count), count);
}

static void test_locks_held_beyond_the_end_by_the_progress_graph(void) {
    struct hd_oracle_shape shape = two;
    shape.locking = HD_ORACLE_ACROSS;
    uint32_t count = hd_ask_count(15000);
    expect_some(compare("blocks:lock-test=graph", shape, 11, count), count);
}

static void test_readers_and_atomics_handed_over_by_the_progress_graph(void) {
    struct hd_oracle_shape shape = two;
    shape.locking = HD_ORACLE_HAND_OVER;
    shape.readers = shape.atomics = true;
    shape.guarded = 85;
    shape.locks = 3;
    shape.accesses = 6;
    uint32_t count = hd_ask_count(15000);
    expect_some(compare("blocks:lock-test=graph", shape, 12, count), count);
}

static void test_three_that_hand_locks_over_by_theorem_5(void) {
    struct hd_oracle_shape shape = two;
    shape.threads = 3;
    shape.accesses = 3;
    shape.locking = HD_ORACLE_HAND_OVER;
    shape.guarded = 80;
    uint32_t count = hd_ask_count(12000);
    expect_some(compare("blocks:theorem=5,lock-test=graph", shape, 13, count), count);
}

static void test_three_with_readers_and_atomics_by_theorem_5(void) {
    struct hd_oracle_shape shape = two;
    shape.threads = 3;
    shape.accesses = 3;
    shape.readers = shape.atomics = true;
    uint32_t count = hd_ask_count(12000);
    expect_some(compare("blocks:theorem=5", shape, 14, count), count);
}

static void test_transactions_on_both_sides_of_a_barrier_by_theorem_5(void) {
    struct hd_oracle_shape shape = two;
    shape.threads = 3;
    shape.txns = shape.accesses = 2;
    shape.barriers = 1;
    uint32_t count = hd_ask_count(6000);
    expect_some(compare("blocks:theorem=5", shape, 15, count), count);
}

int main(void) {
    hd_ask_ready();
    UNITY_BEGIN();
    RUN_TEST(test_one_variable_by_theorem_3);
    RUN_TEST(test_two_transactions_two_variables_by_theorem_4);
    RUN_TEST(test_three_variables_three_locks_by_theorem_4);
    RUN_TEST(test_reentrant_locks_by_theorem_4);
    RUN_TEST(test_reader_writer_locks_by_theorem_4);
    RUN_TEST(test_atomic_read_and_write_by_theorem_4);
    RUN_TEST(test_locks_handed_over_by_the_progress_graph);
    RUN_TEST(test_three_transactions_two_variables_by_theorem_5);
    RUN_TEST(test_three_transactions_three_variables_by_theorem_5);
    RUN_TEST(test_several_transactions_a_thread_by_theorem_5);
    RUN_TEST(test_locks_held_beyond_the_end_by_the_progress_graph);
    RUN_TEST(test_readers_and_atomics_handed_over_by_the_progress_graph);
    RUN_TEST(test_three_that_hand_locks_over_by_theorem_5);
    RUN_TEST(test_three_with_readers_and_atomics_by_theorem_5);
    RUN_TEST(test_transactions_on_both_sides_of_a_barrier_by_theorem_5);
    return UNITY_END();
}

/* test_deadlock_oracle.c - lock cycles against all schedules.
 *
 * Random programs of lock operations; the oracle runs every interleaving and
 * sees whether one stands still, the checker sees one run that did not. SOAK=1
 * tries more. */
#include "checkers/tests/ask.h"

#include "unity.h"

void setUp(void) {}
void tearDown(void) {}

static struct hd_ask set;

static void compare(const char *checker, struct hd_oracle_shape shape, uint64_t seed,
                    uint32_t count) {
    struct hd_oracle_rng rng = {seed};
    uint32_t stuck = 0;
    for (uint32_t n = 0; n < count; n++) {
        while (!hd_ask_draw_complete(&set, &shape, &rng)) {
            /* programs that only ever stand still show nothing */
        }
        bool real = hd_oracle_deadlock(&set.it);
        if (real != (bool)hd_ask(&set, checker, "none").count) {
            TEST_FAIL_MESSAGE(hd_ask_disagree(&set, n, "it %s stand still, %s says otherwise",
                                              real ? "can" : "cannot", checker));
        }
        stuck += real;
    }
    TEST_ASSERT_GREATER_THAN_UINT32(count / 50, stuck);
    TEST_ASSERT_LESS_THAN_UINT32(count, stuck);
}

static const struct hd_oracle_shape usual = {.threads = 2,
                                             .txns = 2,
                                             .accesses = 4,
                                             .variables = 1,
                                             .locks = 3,
                                             .guarded = 80,
                                             .writes = 50,
                                             .locking = HD_ORACLE_NESTED};

static void test_two_threads_with_nested_locks(void) {
    compare("deadlock:length=2", usual, 21, hd_ask_count(50000));
}

static void test_two_threads_with_locks_in_any_order(void) {
    struct hd_oracle_shape shape = usual;
    shape.locking = HD_ORACLE_HAND_OVER;
    compare("deadlock:length=2", shape, 22, hd_ask_count(50000));
}

static void test_recursive_locks(void) {
    struct hd_oracle_shape shape = usual;
    shape.reentrant = true;
    compare("deadlock", shape, 23, hd_ask_count(4000));
}

static void test_three_threads(void) {
    struct hd_oracle_shape shape = usual;
    shape.threads = 3;
    shape.accesses = 3;
    compare("deadlock", shape, 24, hd_ask_count(5000));
}

static void test_four_threads(void) {
    struct hd_oracle_shape shape = usual;
    shape.threads = 4;
    shape.txns = 1;
    shape.accesses = 3;
    shape.locks = 4;
    compare("deadlock", shape, 25, hd_ask_count(3000));
}

static void test_readers_and_writers(void) {
    struct hd_oracle_shape shape = usual;
    shape.readers = true;
    compare("deadlock", shape, 26, hd_ask_count(5000));
}

static void test_three_readers_and_writers(void) {
    struct hd_oracle_shape shape = usual;
    shape.threads = 3;
    shape.txns = 1;
    shape.accesses = 7;
    shape.guarded = 95;
    shape.readers = true;
    compare("deadlock", shape, 28, hd_ask_count(5000));
}

static void test_locks_and_joins(void) {
    struct hd_oracle_shape shape = usual;
    shape.threads = 3;
    shape.accesses = 3;
    shape.forks = 70;
    shape.joins = 0;
    compare("deadlock", shape, 27, hd_ask_count(4000));
}

int main(void) {
    hd_ask_ready();
    UNITY_BEGIN();
    RUN_TEST(test_two_threads_with_nested_locks);
    RUN_TEST(test_two_threads_with_locks_in_any_order);
    RUN_TEST(test_recursive_locks);
    RUN_TEST(test_three_threads);
    RUN_TEST(test_four_threads);
    RUN_TEST(test_readers_and_writers);
    RUN_TEST(test_three_readers_and_writers);
    RUN_TEST(test_locks_and_joins);
    return UNITY_END();
}

/* test_deadlock_oracle.c - lock cycles against all schedules.
 *
 * Random programs of lock operations; the oracle runs every interleaving and
 * sees whether one stands still, the checker sees one run that did not. SOAK=1
 * tries more. */
#include "checkers/run.h"
#include "checkers/tests/oracle.h"

#include "unity.h"

#include <stdio.h>
#include <stdlib.h>

void setUp(void) {}
void tearDown(void) {}

static struct hd_oracle_case it;
static struct hd_oracle_run run;
static char text[1 << 16];

static uint32_t sets(uint32_t usual) { return getenv("SOAK") ? usual * 10 : usual; }

static bool warns(const char *checker) {
    struct hd_error err = {.text = ""};
    struct hd_check_options options = {.checkers = checker, .transactions = "none"};
    struct hd_report *report = NULL;
    struct hd_trace *trace = hd_trace_parse(text, "random", &err);
    TEST_ASSERT_NOT_NULL_MESSAGE(trace, err.text);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, hd_check(trace, &options, &report, &err), err.text);
    bool any = hd_report_count(report) > 0;
    hd_report_free(report);
    hd_trace_free(trace);
    return any;
}

/* A complete run; programs that only ever stand still show nothing. */
static bool make(const struct hd_oracle_shape *shape, struct hd_oracle_rng *rng) {
    hd_oracle_make(&it, shape, rng);
    for (int tries = 0; tries < 50; tries++) {
        hd_oracle_run_random(&it, rng, &run);
        if (run.complete) {
            hd_oracle_text(&it, &run, text, sizeof text);
            return true;
        }
    }
    return false;
}

static void compare(const char *checker, struct hd_oracle_shape shape, uint64_t seed,
                    uint32_t count) {
    struct hd_oracle_rng rng = {seed};
    uint32_t stuck = 0;
    for (uint32_t n = 0; n < count; n++) {
        while (!make(&shape, &rng)) {
        }
        bool real = hd_oracle_deadlock(&it);
        if (warns(checker) != real) {
            static char message[(1 << 16) + 256];
            snprintf(message, sizeof message, "set %u %s stand still, %s says otherwise:\n%s", n,
                     real ? "can" : "cannot", checker, text);
            TEST_FAIL_MESSAGE(message);
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
    compare("deadlock:length=2", usual, 21, sets(8000));
}

static void test_two_threads_with_locks_in_any_order(void) {
    struct hd_oracle_shape shape = usual;
    shape.locking = HD_ORACLE_HAND_OVER;
    compare("deadlock:length=2", shape, 22, sets(8000));
}

static void test_recursive_locks(void) {
    struct hd_oracle_shape shape = usual;
    shape.reentrant = true;
    compare("deadlock", shape, 23, sets(4000));
}

static void test_three_threads(void) {
    struct hd_oracle_shape shape = usual;
    shape.threads = 3;
    shape.accesses = 3;
    compare("deadlock", shape, 24, sets(5000));
}

static void test_four_threads(void) {
    struct hd_oracle_shape shape = usual;
    shape.threads = 4;
    shape.txns = 1;
    shape.accesses = 3;
    shape.locks = 4;
    compare("deadlock", shape, 25, sets(3000));
}

static void test_readers_and_writers(void) {
    struct hd_oracle_shape shape = usual;
    shape.readers = true;
    compare("deadlock", shape, 26, sets(5000));
}

static void test_locks_and_joins(void) {
    struct hd_oracle_shape shape = usual;
    shape.threads = 3;
    shape.accesses = 3;
    shape.forks = 70;
    shape.joins = 0;
    compare("deadlock", shape, 27, sets(4000));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_two_threads_with_nested_locks);
    RUN_TEST(test_two_threads_with_locks_in_any_order);
    RUN_TEST(test_recursive_locks);
    RUN_TEST(test_three_threads);
    RUN_TEST(test_four_threads);
    RUN_TEST(test_readers_and_writers);
    RUN_TEST(test_locks_and_joins);
    return UNITY_END();
}

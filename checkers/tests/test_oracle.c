/* test_oracle.c - the oracle itself, on cases whose answer everybody knows. */
#include "checkers/tests/oracle.h"

#include "unity.h"

#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static struct hd_oracle_case it;
static struct hd_oracle_run run;
static struct hd_oracle_graph graph;

static void put(uint32_t thread, uint8_t kind, uint8_t obj) {
    if (thread >= it.threads) it.threads = thread + 1;
    it.op[thread][it.count[thread]++] = (struct hd_oracle_op){kind, obj, 0};
}

static void fresh(void) { memset(&it, 0, sizeof it); }

/* A transaction "read x, write x" in two threads; with a lock around each access,
 * around both, or none. */
static void deposits(int locks_around_each, int lock_around_both) {
    fresh();
    for (uint32_t t = 0; t < 2; t++) {
        put(t, HD_BEGIN, 0);
        if (lock_around_both) put(t, HD_ACQUIRE, 0);
        for (uint8_t kind = HD_READ; kind <= HD_WRITE; kind++) {
            if (locks_around_each) put(t, HD_ACQUIRE, 0);
            put(t, kind, 0);
            if (locks_around_each) put(t, HD_RELEASE, 0);
        }
        if (lock_around_both) put(t, HD_RELEASE, 0);
        put(t, HD_END, 0);
    }
}

static void follow(const char *threads) {
    uint8_t pos[HD_ORACLE_THREADS] = {0};
    run.count = 0;
    for (; *threads; threads++) {
        uint32_t t = (uint32_t)(*threads - '0');
        run.thread[run.count] = (uint8_t)t;
        run.pos[run.count++] = pos[t]++;
    }
    run.complete = true;
}

static void test_a_lost_update_is_not_atomic(void) {
    deposits(1, 0);
    TEST_ASSERT_FALSE(hd_oracle_view_atomic(&it, true));
    TEST_ASSERT_FALSE(hd_oracle_conflict_atomic(&it, true));
    TEST_ASSERT_EQUAL_HEX32(0, hd_oracle_races(&it));
    TEST_ASSERT_FALSE(hd_oracle_deterministic(&it));
}

static void test_one_lock_around_both_accesses_makes_it_atomic(void) {
    deposits(0, 1);
    TEST_ASSERT_TRUE(hd_oracle_view_atomic(&it, true));
    TEST_ASSERT_TRUE(hd_oracle_conflict_atomic(&it, true));
    TEST_ASSERT_EQUAL_HEX32(0, hd_oracle_races(&it));
}

static void test_without_a_lock_there_is_a_race_as_well(void) {
    deposits(0, 0);
    TEST_ASSERT_EQUAL_HEX32(1, hd_oracle_races(&it));
}

static void test_blind_writes_tell_view_from_conflict(void) {
    fresh();
    for (uint32_t t = 0; t < 3; t++) {
        put(t, HD_BEGIN, 0);
        if (t == 0) put(t, HD_READ, 0);
        put(t, HD_WRITE, 0);
        put(t, HD_END, 0);
    }
    follow("00111" "0" "0" "222");
    TEST_ASSERT_TRUE(hd_oracle_view_serializable(&it, true, &run));
    hd_oracle_graph(&it, &run, HD_ORACLE_SINGLE, HD_ORACLE_LOCKS_NONE, &graph);
    TEST_ASSERT_TRUE(graph.cyclic);
}

static void test_opposite_lock_orders_deadlock_and_a_gate_helps(void) {
    for (int gate = 0; gate < 2; gate++) {
        fresh();
        for (uint32_t t = 0; t < 2; t++) {
            if (gate) put(t, HD_ACQUIRE, 2);
            put(t, HD_ACQUIRE, (uint8_t)t);
            put(t, HD_ACQUIRE, (uint8_t)(1 - t));
            put(t, HD_RELEASE, (uint8_t)(1 - t));
            put(t, HD_RELEASE, (uint8_t)t);
            if (gate) put(t, HD_RELEASE, 2);
        }
        TEST_ASSERT_EQUAL(!gate, hd_oracle_deadlock(&it));
        TEST_ASSERT_EQUAL(!gate, hd_oracle_deadlock_pair(&it, 0, 1));
    }
}

static void test_fork_and_join_order(void) {
    fresh();
    put(0, HD_WRITE, 0);
    put(0, HD_FORK, 1);
    put(1, HD_WRITE, 0);
    put(0, HD_JOIN, 1);
    put(0, HD_READ, 0);
    TEST_ASSERT_EQUAL_HEX32(0, hd_oracle_races(&it));
    TEST_ASSERT_TRUE(hd_oracle_deterministic(&it));
    TEST_ASSERT_FALSE(hd_oracle_deadlock(&it));
}

static void test_the_victim_is_blamed_and_not_the_interferer(void) {
    deposits(1, 0);
    /* T0 reads, T1 does all, T0 writes. */
    follow("0000" "11111111" "0000");
    hd_oracle_graph(&it, &run, HD_ORACLE_SINGLE, HD_ORACLE_LOCKS_NONE, &graph);
    TEST_ASSERT_TRUE(graph.cyclic);
    TEST_ASSERT_TRUE(graph.victim[graph.node[0]]);
    TEST_ASSERT_TRUE(graph.closer[graph.node[0]]);
    TEST_ASSERT_FALSE(graph.victim[graph.node[4]]);
    follow("00000000" "11111111");
    hd_oracle_graph(&it, &run, HD_ORACLE_SINGLE, HD_ORACLE_LOCKS_ALL, &graph);
    TEST_ASSERT_FALSE(graph.cyclic);
}

/* Two separate locked reads, a locked counter in between that they do not read. */
static void reads_against_counter(void) {
    fresh();
    put(0, HD_BEGIN, 0);
    for (uint8_t i = 0; i < 2; i++) {
        put(0, HD_ACQUIRE, 0);
        put(0, HD_READ, i);
        put(0, HD_RELEASE, 0);
    }
    put(0, HD_END, 0);
    put(1, HD_BEGIN, 0);
    put(1, HD_ACQUIRE, 0);
    put(1, HD_WRITE, 2);
    put(1, HD_RELEASE, 0);
    put(1, HD_END, 0);
    follow("0000" "11111" "0000");
}

static void test_lock_edges_count_only_across_a_boundary(void) {
    reads_against_counter();
    hd_oracle_graph(&it, &run, HD_ORACLE_SINGLE, HD_ORACLE_LOCKS_ALL, &graph);
    TEST_ASSERT_TRUE(graph.cyclic);
    hd_oracle_graph(&it, &run, HD_ORACLE_SINGLE, HD_ORACLE_LOCKS_BOUNDARY, &graph);
    TEST_ASSERT_FALSE(graph.cyclic);
}

static void test_random_cases_are_well_formed(void) {
    struct hd_oracle_rng rng = {1};
    struct hd_oracle_shape shape = {.threads = 3, .txns = 2, .accesses = 3, .outside = 20,
                                    .variables = 2, .locks = 2, .guarded = 60, .writes = 50,
                                    .locking = HD_ORACLE_ACROSS, .reentrant = true,
                                    .nested = true, .fork_inside = true, .forks = 50,
                                    .joins = 50, .semaphores = 1, .barriers = 1};
    int complete = 0;
    for (int n = 0; n < 2000; n++) {
        hd_oracle_make(&it, &shape, &rng);
        struct hd_oracle_facts facts;
        hd_oracle_facts(&it, &facts);
        for (uint32_t t = 0; t < it.threads; t++) {
            int depth = 0;
            for (uint32_t i = 0; i < it.count[t]; i++) {
                depth += (it.op[t][i].kind == HD_BEGIN) - (it.op[t][i].kind == HD_END);
                TEST_ASSERT_TRUE(depth >= 0);
            }
            TEST_ASSERT_EQUAL(0, depth);
            TEST_ASSERT_EQUAL_HEX16(0, facts.exclusive[t][it.count[t]]);
        }
        hd_oracle_run_random(&it, &rng, &run);
        complete += run.complete;
    }
    TEST_ASSERT_GREATER_THAN(1000, complete);
}

/* Conflict-serializable runs are view-serializable. */
static void test_conflict_implies_view(void) {
    struct hd_oracle_rng rng = {7};
    struct hd_oracle_shape shape = {.threads = 3, .txns = 1, .accesses = 3, .variables = 2,
                                    .locks = 1, .guarded = 40, .writes = 50,
                                    .locking = HD_ORACLE_NESTED};
    int atomic = 0, not_atomic = 0;
    for (int n = 0; n < 500; n++) {
        hd_oracle_make(&it, &shape, &rng);
        bool conflict = hd_oracle_conflict_atomic(&it, true);
        bool view = hd_oracle_view_atomic(&it, true);
        TEST_ASSERT_TRUE(view || !conflict);
        view ? atomic++ : not_atomic++;
        hd_oracle_run_random(&it, &rng, &run);
        hd_oracle_graph(&it, &run, HD_ORACLE_SINGLE_CUT, HD_ORACLE_LOCKS_NONE, &graph);
        if (run.complete && !graph.cyclic) {
            TEST_ASSERT_TRUE(hd_oracle_view_serializable(&it, true, &run));
        }
        if (run.complete && graph.cyclic) TEST_ASSERT_FALSE(conflict);
    }
    TEST_ASSERT_GREATER_THAN(50, atomic);
    TEST_ASSERT_GREATER_THAN(50, not_atomic);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_a_lost_update_is_not_atomic);
    RUN_TEST(test_one_lock_around_both_accesses_makes_it_atomic);
    RUN_TEST(test_without_a_lock_there_is_a_race_as_well);
    RUN_TEST(test_blind_writes_tell_view_from_conflict);
    RUN_TEST(test_opposite_lock_orders_deadlock_and_a_gate_helps);
    RUN_TEST(test_fork_and_join_order);
    RUN_TEST(test_the_victim_is_blamed_and_not_the_interferer);
    RUN_TEST(test_lock_edges_count_only_across_a_boundary);
    RUN_TEST(test_random_cases_are_well_formed);
    RUN_TEST(test_conflict_implies_view);
    return UNITY_END();
}

/* test_judge.c - the judge against the conflict graph by definition.
 *
 * Exactly the same victims, no more, no fewer, on random runs; and then the cases
 * that its definition was made for. SOAK=1 tries more. */
#include "checkers/judge.h"
#include "checkers/tests/oracle.h"

#include "unity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static struct hd_oracle_case it;
static struct hd_oracle_run run;
static struct hd_oracle_graph graph, without_locks;
static char memory[1 << 20];
static struct hd_judge *judge;

static uint32_t runs(uint32_t usual) { return getenv("SOAK") ? usual * 10 : usual; }

/* ---- telling the judge of a run --------------------------------------------- */

static bool cuts(uint8_t kind) {
    return kind == HD_FORK || kind == HD_JOIN || kind == HD_BARRIER || kind == HD_BLEAVE;
}

static void tell_op(uint32_t t, const struct hd_oracle_op *op, uint64_t step) {
    switch (op->kind) {
    case HD_READ:
    case HD_VREAD: hd_judge_access(judge, t, op->obj, false, step); break;
    case HD_WRITE:
    case HD_VWRITE:
    case HD_VRMW: hd_judge_access(judge, t, op->obj, true, step); break;
    case HD_ACQUIRE: hd_judge_lock(judge, t, op->obj, op->shared, step); break;
    case HD_RELEASE: hd_judge_unlock(judge, t, op->obj, step); break;
    case HD_FORK: hd_judge_fork(judge, t, op->obj, step); break;
    case HD_JOIN: hd_judge_join(judge, t, op->obj, step); break;
    case HD_BARRIER: hd_judge_arrive(judge, t, op->obj, 0, step); break;
    case HD_BLEAVE: hd_judge_depart(judge, t, op->obj, 0, step); break;
    case HD_POST: hd_judge_post(judge, t, op->obj, step); break;
    case HD_PEND: hd_judge_pend(judge, t, op->obj, step); break;
    }
}

/* Labels are the oracle's nodes. */
static void tell_run(void) {
    uint32_t depth[HD_ORACLE_THREADS] = {0};
    bool open[HD_ORACLE_THREADS] = {false};
    hd_judge_reset(judge);
    for (uint32_t s = 0; s < HD_ORACLE_OBJECTS; s++) {
        if (it.initial[s]) hd_judge_semaphore(judge, s, it.initial[s]);
    }
    for (uint32_t i = 0; i < run.count; i++) {
        uint32_t t = run.thread[i];
        const struct hd_oracle_op *op = &it.op[t][run.pos[i]];
        if (op->kind == HD_BEGIN) depth[t]++;
        if (depth[t] && !open[t] && !cuts(op->kind)) {
            hd_judge_begin(judge, t, graph.node[i], i);
            open[t] = true;
        }
        if (op->kind == HD_END) depth[t]--;
        if (open[t] && (cuts(op->kind) || depth[t] == 0)) {
            hd_judge_end(judge, t, i);
            open[t] = false;
        }
        tell_op(t, op, i);
    }
}

static void disagree(const char *what, uint32_t n) {
    static char message[1 << 16];
    int used = snprintf(message, sizeof message, "run %u: %s\n", n, what);
    hd_oracle_text(&it, &run, message + used, sizeof message - (uint32_t)used);
    TEST_FAIL_MESSAGE(message);
}

/* Each pair of the cycle goes forward in time, and the victim is left first. */
static bool plausible(const struct hd_judge_victim *v) {
    uint64_t at = v->leaves;
    for (uint32_t i = 0; i < v->stop_count; i++) {
        if (v->stops[i].in <= at && v->stops[i].in != at) return false;
        at = v->stops[i].out;
    }
    return at < v->returns && v->leaves < v->returns && v->stop_count > 0;
}

static void compare(const struct hd_oracle_shape *shape, uint64_t seed, uint32_t count) {
    struct hd_oracle_rng rng = {seed};
    uint32_t cyclic = 0, acquitted = 0;
    judge = hd_judge_new(memory, sizeof memory);
    for (uint32_t n = 0; n < count; n++) {
        hd_oracle_make(&it, shape, &rng);
        hd_oracle_run_random(&it, &rng, &run);
        hd_oracle_graph(&it, &run, HD_ORACLE_SINGLE_CUT, HD_ORACLE_LOCKS_BOUNDARY, &graph);
        hd_oracle_graph(&it, &run, HD_ORACLE_SINGLE_CUT, HD_ORACLE_LOCKS_NONE, &without_locks);
        tell_run();
        bool accused[HD_ORACLE_NODES] = {false};
        const struct hd_judge_victim *first = hd_judge_decide(judge);
        TEST_ASSERT_FALSE(hd_judge_full(judge));
        for (const struct hd_judge_victim *v = first; v; v = v->next) {
            accused[v->label] = true;
            if (!plausible(v)) disagree("the cycle does not hold", n);
            if (v->by_locks == without_locks.victim[v->label]) disagree("by locks or not", n);
        }
        if (!!first != graph.cyclic) disagree(first ? "no cycle" : "missed", n);
        if (memcmp(accused, graph.victim, sizeof accused)) disagree("other victims", n);
        cyclic += graph.cyclic;
        acquitted += graph.acquitted;
    }
    TEST_ASSERT_TRUE_MESSAGE(acquitted > count / 1000, "nobody was only in the way");
    TEST_ASSERT_TRUE_MESSAGE(cyclic > count / 20 && cyclic < count - count / 20,
                             "nearly all runs are alike: nothing is compared");
}

static const struct hd_oracle_shape plain = {
    .threads = 3, .txns = 2, .accesses = 3, .outside = 25, .variables = 4, .locks = 2,
    .guarded = 60, .writes = 35, .locking = HD_ORACLE_ACROSS, .reentrant = true, .nested = true,
};

static void test_data_and_locks_across_boundaries(void) { compare(&plain, 1, runs(80000)); }

static void test_four_threads_with_few_variables(void) {
    struct hd_oracle_shape shape = plain;
    shape.threads = 4;
    shape.txns = 1;
    shape.variables = 3;
    shape.accesses = 4;
    shape.outside = 10;
    shape.locking = HD_ORACLE_HAND_OVER;
    compare(&shape, 2, runs(20000));
}

static void test_forks_that_cut_and_readers(void) {
    struct hd_oracle_shape shape = plain;
    shape.forks = 70;
    shape.joins = 70;
    shape.fork_inside = true;
    shape.readers = true;
    shape.reentrant = false;
    compare(&shape, 3, runs(40000));
}

static void test_barriers_and_semaphores_and_atomics(void) {
    struct hd_oracle_shape shape = plain;
    shape.barriers = 1;
    shape.semaphores = 2;
    shape.atomics = true;
    compare(&shape, 4, runs(40000));
}

/* ---- by hand ------------------------------------------------------------------- */

static void fresh(void) {
    judge = hd_judge_new(memory, sizeof memory);
    TEST_ASSERT_NOT_NULL(judge);
}

static void locked(uint32_t thread, uint64_t variable, bool write, uint64_t *step) {
    hd_judge_lock(judge, thread, 7, false, ++*step);
    hd_judge_access(judge, thread, variable, write, ++*step);
    hd_judge_unlock(judge, thread, 7, ++*step);
}

static void test_a_lost_update_has_one_victim(void) {
    uint64_t step = 0;
    fresh();
    hd_judge_begin(judge, 0, 100, ++step);
    locked(0, 1, false, &step);
    hd_judge_begin(judge, 1, 200, ++step);
    locked(1, 1, false, &step);
    locked(1, 1, true, &step);
    hd_judge_end(judge, 1, ++step);
    locked(0, 1, true, &step);
    hd_judge_end(judge, 0, ++step);
    const struct hd_judge_victim *v = hd_judge_decide(judge);
    TEST_ASSERT_NOT_NULL(v);
    TEST_ASSERT_NULL(v->next);
    TEST_ASSERT_FALSE(v->by_locks);
    TEST_ASSERT_EQUAL_UINT64(100, v->label);
    TEST_ASSERT_EQUAL_UINT64(3, v->leaves);
    TEST_ASSERT_EQUAL_UINT64(14, v->returns);
    TEST_ASSERT_EQUAL_UINT32(1, v->stop_count);
    TEST_ASSERT_EQUAL_UINT64(200, v->stops[0].label);
    TEST_ASSERT_EQUAL_UINT64(10, v->stops[0].in);
}

static void test_two_locked_reads_against_a_locked_counter_are_serializable(void) {
    for (int annotated = 0; annotated < 2; annotated++) {
        uint64_t step = 0;
        fresh();
        hd_judge_begin(judge, 0, 100, ++step);
        locked(0, 1, false, &step);
        if (annotated) hd_judge_begin(judge, 1, 200, ++step);
        locked(1, 3, true, &step);
        if (annotated) hd_judge_end(judge, 1, ++step);
        locked(0, 2, false, &step);
        hd_judge_end(judge, 0, ++step);
        TEST_ASSERT_NULL(hd_judge_decide(judge));
    }
}

static void test_a_lock_held_across_the_begin_orders(void) {
    uint64_t step = 0;
    fresh();
    hd_judge_lock(judge, 0, 7, false, ++step);
    hd_judge_begin(judge, 0, 100, ++step);
    hd_judge_access(judge, 0, 1, false, ++step);
    hd_judge_unlock(judge, 0, 7, ++step);
    locked(1, 3, true, &step); /* between two sections of 100, both held across */
    hd_judge_lock(judge, 0, 7, false, ++step);
    hd_judge_end(judge, 0, ++step);
    hd_judge_unlock(judge, 0, 7, ++step);
    const struct hd_judge_victim *v = hd_judge_decide(judge);
    TEST_ASSERT_NOT_NULL(v);
    TEST_ASSERT_EQUAL_UINT64(100, v->label);
    TEST_ASSERT_TRUE(v->by_locks);
}

static void test_a_signal_comes_before_the_wake_up_it_causes(void) {
    uint64_t step = 0;
    for (int all = 0; all < 2; all++) {
        fresh();
        hd_judge_begin(judge, 0, 100, ++step);
        hd_judge_access(judge, 0, 1, false, ++step);
        hd_judge_wait(judge, 1, 5, ++step);
        hd_judge_signal(judge, 0, 5, all, ++step);
        hd_judge_wake(judge, 1, 5, ++step);
        hd_judge_access(judge, 1, 1, true, ++step);
        hd_judge_access(judge, 1, 2, true, ++step);
        hd_judge_access(judge, 0, 2, false, ++step); /* 100 -> thread 1 -> 100 */
        hd_judge_end(judge, 0, ++step);
        TEST_ASSERT_NOT_NULL(hd_judge_decide(judge));
        fresh();
        hd_judge_begin(judge, 0, 100, ++step);
        hd_judge_signal(judge, 0, 5, all, ++step); /* lost: nobody waits yet */
        hd_judge_wait(judge, 1, 5, ++step);
        hd_judge_wake(judge, 1, 5, ++step);
        hd_judge_access(judge, 1, 2, true, ++step);
        hd_judge_access(judge, 0, 2, false, ++step);
        hd_judge_end(judge, 0, ++step);
        TEST_ASSERT_NULL(hd_judge_decide(judge));
    }
}

static void test_too_little_memory_is_said_and_a_reset_helps(void) {
    judge = hd_judge_new(memory, HD_JUDGE_LEAST);
    TEST_ASSERT_NOT_NULL(judge);
    TEST_ASSERT_NULL(hd_judge_new(memory, HD_JUDGE_LEAST - 1));
    for (int round = 0; round < 2; round++) {
        uint64_t step = 0;
        hd_judge_reset(judge);
        TEST_ASSERT_FALSE(hd_judge_full(judge));
        for (uint64_t i = 0; i < 100000; i++) {
            hd_judge_access(judge, (uint32_t)(i % 5), i % 977, i % 3 == 0, ++step);
            hd_judge_lock(judge, (uint32_t)(i % 5), i % 11, false, ++step);
            hd_judge_unlock(judge, (uint32_t)(i % 5), i % 11, ++step);
            hd_judge_post(judge, 1, i, ++step);
            hd_judge_pend(judge, 70000, i, ++step);
        }
        TEST_ASSERT_TRUE(hd_judge_full(judge));
        TEST_ASSERT_NULL(hd_judge_decide(judge));
    }
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_data_and_locks_across_boundaries);
    RUN_TEST(test_four_threads_with_few_variables);
    RUN_TEST(test_forks_that_cut_and_readers);
    RUN_TEST(test_barriers_and_semaphores_and_atomics);
    RUN_TEST(test_a_lost_update_has_one_victim);
    RUN_TEST(test_two_locked_reads_against_a_locked_counter_are_serializable);
    RUN_TEST(test_a_lock_held_across_the_begin_orders);
    RUN_TEST(test_a_signal_comes_before_the_wake_up_it_causes);
    RUN_TEST(test_too_little_memory_is_said_and_a_reset_helps);
    return UNITY_END();
}

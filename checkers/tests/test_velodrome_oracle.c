/* test_velodrome_oracle.c - velodrome against the conflict graph by definition.
 *
 * Random runs of random cases. The oracle looks at every pair of operations; the
 * checker keeps a few bits. They must agree on whether there is a cycle, and the
 * transactions that are blamed must be among those that the definition blames, and
 * include those that were running when their cycle closed. With lock edges at
 * boundaries, the measure of confirmations, they must be exactly those. SOAK=1 tries
 * more. */
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
static struct hd_oracle_graph graph;
static char text[1 << 16];

static uint32_t runs(uint32_t usual) { return getenv("SOAK") ? usual * 10 : usual; }

/* Transactions are told apart by label: hd_oracle_text writes fN_T. */
struct blamed {
    bool any;
    uint32_t by_thread[HD_ORACLE_THREADS]; /* bit N */
};

static struct blamed check(const char *checker) {
    struct hd_error err = {.text = ""};
    struct hd_check_options options = {.checkers = checker, .transactions = "annotated"};
    struct hd_report *report = NULL;
    struct blamed blamed = {0};
    struct hd_trace *trace = hd_trace_parse(text, "random", &err);
    TEST_ASSERT_NOT_NULL_MESSAGE(trace, err.text);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, hd_check(trace, &options, &report, &err), err.text);
    for (uint32_t i = 0; i < hd_report_count(report); i++) {
        char buffer[64];
        unsigned n, t;
        uint32_t region = hd_report_warning(report, i)->region;
        const char *name = hd_front_region_name(hd_report_front(report), region, buffer,
                                                sizeof buffer);
        blamed.any = true;
        if (sscanf(name, "f%u_%u", &n, &t) == 2) blamed.by_thread[t] |= 1u << n;
    }
    hd_report_free(report);
    hd_trace_free(trace);
    return blamed;
}

/* The labels of the nodes that are marked. */
static struct blamed by_definition(const bool *marked) {
    struct blamed blamed = {.any = graph.cyclic};
    uint32_t depth[HD_ORACLE_THREADS] = {0}, label[HD_ORACLE_THREADS] = {0};
    for (uint32_t i = 0; i < run.count; i++) {
        uint32_t t = run.thread[i];
        const struct hd_oracle_op *op = &it.op[t][run.pos[i]];
        if (op->kind == HD_BEGIN && depth[t]++ == 0) label[t] = op->obj;
        if (marked[graph.node[i]]) blamed.by_thread[t] |= 1u << label[t];
        if (op->kind == HD_END) depth[t]--;
    }
    return blamed;
}

static bool within(const struct blamed *a, const struct blamed *b) {
    for (uint32_t t = 0; t < HD_ORACLE_THREADS; t++) {
        if (a->by_thread[t] & ~b->by_thread[t]) return false;
    }
    return true;
}

static void disagree(const char *what, const char *checker, uint32_t n) {
    static char message[(1 << 16) + 256];
    snprintf(message, sizeof message, "run %u, %s: %s\n%s", n, checker, what, text);
    TEST_FAIL_MESSAGE(message);
}

static void compare(const char *checker, const struct hd_oracle_shape *shape,
                    enum hd_oracle_nodes nodes, enum hd_oracle_edges locks, uint64_t seed,
                    uint32_t count) {
    struct hd_oracle_rng rng = {seed};
    uint32_t cyclic = 0;
    for (uint32_t n = 0; n < count; n++) {
        do {
            hd_oracle_make(&it, shape, &rng);
            hd_oracle_run_random(&it, &rng, &run);
            /* Everybody waits at once; or a region has begun and nothing happened in it,
             * which is no transaction to the front end. */
        } while (!run.count || (locks == HD_ORACLE_LOCKS_BOUNDARY && !run.complete));
        hd_oracle_text(&it, &run, text, sizeof text);
        hd_oracle_graph(&it, &run, nodes, locks, &graph);
        struct blamed found = check(checker);
        struct blamed victims = by_definition(graph.victim), closers = by_definition(graph.closer);
        if (found.any != graph.cyclic) disagree(found.any ? "no cycle" : "missed", checker, n);
        /* Readers of a lock whose last section turns out to reach across: the
         * checker has put in an edge that is not direct after all. */
        bool exact = locks != HD_ORACLE_LOCKS_BOUNDARY || !shape->readers;
        if (exact && !within(&found, &victims)) disagree("blames the wrong one", checker, n);
        bool all = locks == HD_ORACLE_LOCKS_BOUNDARY;
        if (!within(all ? &victims : &closers, &found)) disagree("does not blame", checker, n);
        cyclic += graph.cyclic;
    }
    TEST_ASSERT_TRUE_MESSAGE(cyclic > count / 20 && cyclic < count - count / 20,
                             "nearly all runs are alike: nothing is compared");
}

static const struct hd_oracle_shape plain = {
    .threads = 3, .txns = 2, .accesses = 3, .outside = 25, .variables = 4, .locks = 2,
    .guarded = 50, .writes = 35, .locking = HD_ORACLE_NESTED, .reentrant = true, .nested = true,
};

static void test_data_and_locks(void) {
    compare("velodrome", &plain, HD_ORACLE_SINGLE_CUT, HD_ORACLE_LOCKS_ALL, 1, runs(12000));
}

static void test_many_threads_with_forks(void) {
    struct hd_oracle_shape shape = plain;
    shape.threads = 6;
    shape.variables = 8;
    shape.forks = 60;
    shape.joins = 60;
    compare("velodrome", &shape, HD_ORACLE_SINGLE_CUT, HD_ORACLE_LOCKS_ALL, 2, runs(5000));
}

static void test_forks_inside_end_a_transaction(void) {
    struct hd_oracle_shape shape = plain;
    shape.forks = 80;
    shape.joins = 80;
    shape.fork_inside = true;
    compare("velodrome", &shape, HD_ORACLE_SINGLE_CUT, HD_ORACLE_LOCKS_ALL, 3, runs(5000));
}

static void test_forks_inside_without_cutting(void) {
    struct hd_oracle_shape shape = plain;
    shape.forks = 50;
    shape.joins = 50;
    shape.fork_inside = true;
    compare("velodrome:cut=off", &shape, HD_ORACLE_SINGLE, HD_ORACLE_LOCKS_ALL, 4, runs(5000));
}

static void test_barriers_semaphores_readers_atomics(void) {
    struct hd_oracle_shape shape = plain;
    shape.barriers = 1;
    shape.semaphores = 1;
    shape.readers = true;
    shape.atomics = true;
    shape.reentrant = false;
    shape.locking = HD_ORACLE_HAND_OVER;
    compare("velodrome", &shape, HD_ORACLE_SINGLE_CUT, HD_ORACLE_LOCKS_ALL, 5, runs(5000));
}

static void test_lock_edges_across_boundaries(void) {
    struct hd_oracle_shape shape = plain;
    shape.locking = HD_ORACLE_ACROSS;
    shape.variables = 6;
    shape.guarded = 80;
    compare("velodrome:lock-edges=boundary", &shape, HD_ORACLE_SINGLE_CUT,
            HD_ORACLE_LOCKS_BOUNDARY, 6, runs(35000));
    shape.locking = HD_ORACLE_HAND_OVER;
    shape.variables = 3;
    compare("velodrome:lock-edges=boundary", &shape, HD_ORACLE_SINGLE_CUT,
            HD_ORACLE_LOCKS_BOUNDARY, 7, runs(8000));
}

static void test_lock_edges_across_boundaries_with_readers(void) {
    struct hd_oracle_shape shape = plain;
    shape.locking = HD_ORACLE_ACROSS;
    shape.readers = true;
    shape.reentrant = false;
    shape.variables = 6;
    shape.guarded = 80;
    compare("velodrome:lock-edges=boundary", &shape, HD_ORACLE_SINGLE_CUT,
            HD_ORACLE_LOCKS_BOUNDARY, 8, runs(8000));
}

int main(void) {
    setenv("TMPDIR", "/dev/shm", 0); /* where a parsed text is kept: many small ones here */
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    UNITY_BEGIN();
    RUN_TEST(test_data_and_locks);
    RUN_TEST(test_many_threads_with_forks);
    RUN_TEST(test_forks_inside_end_a_transaction);
    RUN_TEST(test_forks_inside_without_cutting);
    RUN_TEST(test_barriers_semaphores_readers_atomics);
    RUN_TEST(test_lock_edges_across_boundaries);
    RUN_TEST(test_lock_edges_across_boundaries_with_readers);
    return UNITY_END();
}

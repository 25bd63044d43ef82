/* test_velodrome_oracle.c - velodrome against the conflict graph by definition.
 *
 * Random runs of random cases. The oracle looks at every pair of operations; the
 * checker keeps a few bits. They must agree on whether there is a cycle, and the
 * transactions that are blamed must be among those that the definition blames, and
 * include those that were running when their cycle closed. With lock edges at
 * boundaries, the measure of confirmations, they must be exactly those. SOAK=1 tries
 * more. */
#include "checkers/tests/ask.h"

#include "unity.h"

void setUp(void) {}
void tearDown(void) {}

static struct hd_ask set;
static struct hd_oracle_graph graph;

/* The labels of the nodes that are marked. */
static struct hd_asked by_definition(const bool *marked) {
    const struct hd_oracle_run *run = &set.run;
    struct hd_asked blamed = {.count = graph.cyclic};
    uint32_t depth[HD_ORACLE_THREADS] = {0}, label[HD_ORACLE_THREADS] = {0};
    for (uint32_t i = 0; i < run->count; i++) {
        uint32_t t = run->thread[i];
        const struct hd_oracle_op *op = &set.it.op[t][run->pos[i]];
        if (op->kind == HD_BEGIN && depth[t]++ == 0) label[t] = op->obj;
        if (marked[graph.node[i]]) blamed.by_thread[t] |= 1u << label[t];
        if (op->kind == HD_END) depth[t]--;
    }
    return blamed;
}

static void disagree(const char *what, const char *checker, uint32_t n) {
    TEST_FAIL_MESSAGE(hd_ask_disagree(&set, n, "%s: %s", checker, what));
}

static void compare(const char *checker, const struct hd_oracle_shape *shape,
                    enum hd_oracle_nodes nodes, enum hd_oracle_edges locks, uint64_t seed,
                    uint32_t count) {
    struct hd_oracle_rng rng = {seed};
    uint32_t cyclic = 0;
    for (uint32_t n = 0; n < count; n++) {
        do {
            hd_ask_draw(&set, shape, &rng);
            /* A region may have begun, and nothing happened in it: no transaction to the
             * front end. */
        } while (locks == HD_ORACLE_LOCKS_BOUNDARY && !set.run.complete);
        hd_oracle_graph(&set.it, &set.run, nodes, locks, &graph);
        struct hd_asked found = hd_ask(&set, checker, "annotated");
        struct hd_asked victims = by_definition(graph.victim);
        struct hd_asked closers = by_definition(graph.closer);
        if ((found.count > 0) != graph.cyclic) {
            disagree(found.count ? "no cycle" : "missed", checker, n);
        }
        if (!hd_asked_within(&found, &victims)) disagree("blames the wrong one", checker, n);
        bool all = locks == HD_ORACLE_LOCKS_BOUNDARY;
        if (!hd_asked_within(all ? &victims : &closers, &found)) disagree("does not blame", checker, n);
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
    compare("velodrome", &plain, HD_ORACLE_SINGLE_CUT, HD_ORACLE_LOCKS_ALL, 1, hd_ask_count(24000));
}

static void test_many_threads_with_forks(void) {
    struct hd_oracle_shape shape = plain;
    shape.threads = 6;
    shape.variables = 8;
    shape.forks = 60;
    shape.joins = 60;
    compare("velodrome", &shape, HD_ORACLE_SINGLE_CUT, HD_ORACLE_LOCKS_ALL, 2, hd_ask_count(5000));
}

static void test_forks_inside_end_a_transaction(void) {
    struct hd_oracle_shape shape = plain;
    shape.forks = 80;
    shape.joins = 80;
    shape.fork_inside = true;
    compare("velodrome", &shape, HD_ORACLE_SINGLE_CUT, HD_ORACLE_LOCKS_ALL, 3, hd_ask_count(5000));
}

static void test_forks_inside_without_cutting(void) {
    struct hd_oracle_shape shape = plain;
    shape.forks = 50;
    shape.joins = 50;
    shape.fork_inside = true;
    compare("velodrome:cut=off", &shape, HD_ORACLE_SINGLE, HD_ORACLE_LOCKS_ALL, 4, hd_ask_count(5000));
}

static void test_barriers_semaphores_readers_atomics(void) {
    struct hd_oracle_shape shape = plain;
    shape.barriers = 1;
    shape.semaphores = 1;
    shape.readers = true;
    shape.atomics = true;
    shape.reentrant = false;
    shape.locking = HD_ORACLE_HAND_OVER;
    compare("velodrome", &shape, HD_ORACLE_SINGLE_CUT, HD_ORACLE_LOCKS_ALL, 5, hd_ask_count(10000));
}

static void test_lock_edges_across_boundaries(void) {
    struct hd_oracle_shape shape = plain;
    shape.locking = HD_ORACLE_ACROSS;
    shape.variables = 6;
    shape.guarded = 80;
    compare("velodrome:lock-edges=boundary", &shape, HD_ORACLE_SINGLE_CUT,
            HD_ORACLE_LOCKS_BOUNDARY, 6, hd_ask_count(35000));
    shape.locking = HD_ORACLE_HAND_OVER;
    shape.variables = 3;
    compare("velodrome:lock-edges=boundary", &shape, HD_ORACLE_SINGLE_CUT,
            HD_ORACLE_LOCKS_BOUNDARY, 7, hd_ask_count(8000));
    shape.forks = 70;
    shape.joins = 70;
    shape.fork_inside = true;
    compare("velodrome:lock-edges=boundary", &shape, HD_ORACLE_SINGLE_CUT,
            HD_ORACLE_LOCKS_BOUNDARY, 9, hd_ask_count(8000));
}

static void test_lock_edges_across_boundaries_with_readers(void) {
    struct hd_oracle_shape shape = plain;
    shape.locking = HD_ORACLE_ACROSS;
    shape.readers = true;
    shape.reentrant = false;
    shape.variables = 6;
    shape.guarded = 80;
    compare("velodrome:lock-edges=boundary", &shape, HD_ORACLE_SINGLE_CUT,
            HD_ORACLE_LOCKS_BOUNDARY, 8, hd_ask_count(8000));
}

int main(void) {
    hd_ask_ready();
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

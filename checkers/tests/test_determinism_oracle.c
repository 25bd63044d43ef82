/* test_determinism_oracle.c - SingleTrack against its definitions.
 *
 * External serializability: the conflict graph of the run, pair by pair, with nodes
 * that take in forked threads. Conflict freedom: every pair of operations of a node,
 * and whether thread order, fork, join and barrier lead from one to the other. And
 * what it is all for: if the whole program is one block without a conflict, every
 * interleaving reads and leaves the same. SOAK=1 tries more. */
#include "checkers/tests/ask.h"

#include "unity.h"

#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static struct hd_ask set;
static struct hd_oracle_graph graph;

/* The labels of the nodes that are marked: those of their first begins. */
static struct hd_asked by_definition(const bool *marked) {
    struct hd_asked accused = {.count = graph.cyclic};
    bool named[HD_ORACLE_NODES] = {false};
    for (uint32_t i = 0; i < set.run.count; i++) {
        const struct hd_oracle_op *op = &set.it.op[set.run.thread[i]][set.run.pos[i]];
        uint32_t node = graph.node[i];
        if (op->kind != HD_BEGIN || named[node]) continue;
        named[node] = true;
        if (marked[node]) accused.by_thread[set.run.thread[i]] |= 1u << op->obj;
    }
    return accused;
}

static void disagree(const char *what, uint32_t n) {
    TEST_FAIL_MESSAGE(hd_ask_disagree(&set, n, "%s", what));
}

static struct hd_asked check(const char *checker) { return hd_ask(&set, checker, "annotated"); }

static void expect_some(uint32_t guilty, uint32_t count) {
    TEST_ASSERT_TRUE_MESSAGE(guilty > count / 20 && guilty < count - count / 20,
                             "nearly all runs are alike: nothing is compared");
}

/* ---- external serializability ---------------------------------------------------- */

static void compare_xs(const struct hd_oracle_shape *shape, uint64_t seed, uint32_t count) {
    struct hd_oracle_rng rng = {seed};
    static const bool all[HD_ORACLE_NODES] = {[0 ... HD_ORACLE_NODES - 1] = true};
    uint32_t cyclic = 0;
    for (uint32_t n = 0; n < count; n++) {
        hd_ask_draw(&set, shape, &rng);
        hd_oracle_graph(&set.it, &set.run, HD_ORACLE_MULTI, HD_ORACLE_LOCKS_ALL, &graph);
        struct hd_asked found = check("determinism:property=xs");
        struct hd_asked victims = by_definition(graph.victim);
        struct hd_asked closers = by_definition(graph.closer);
        struct hd_asked outermost = by_definition(all), outer = found;
        for (uint32_t t = 0; t < HD_ORACLE_THREADS; t++) {
            outer.by_thread[t] &= outermost.by_thread[t]; /* inner blocks are accused as well */
        }
        if ((found.count > 0) != graph.cyclic) disagree(found.count ? "no cycle" : "missed", n);
        if (!hd_asked_within(&outer, &victims)) disagree("accuses the wrong one", n);
        if (!hd_asked_within(&closers, &found)) disagree("does not accuse who closed it", n);
        cyclic += graph.cyclic;
    }
    expect_some(cyclic, count);
}

static const struct hd_oracle_shape plain = {
    .threads = 4, .txns = 2, .accesses = 3, .outside = 25, .variables = 5, .locks = 2,
    .guarded = 40, .writes = 30, .locking = HD_ORACLE_NESTED, .reentrant = true, .nested = true,
    .fork_inside = true, .forks = 60, .joins = 70,
};

static void test_external_serializability_with_forks(void) { compare_xs(&plain, 1, hd_ask_count(70000)); }

static void test_external_serializability_with_barriers_and_semaphores(void) {
    struct hd_oracle_shape shape = plain;
    shape.barriers = 1;
    shape.semaphores = 1;
    shape.atomics = true;
    shape.readers = true;
    shape.reentrant = false;
    shape.locking = HD_ORACLE_HAND_OVER;
    shape.writes = 20;
    shape.threads = 3;
    compare_xs(&shape, 2, hd_ask_count(30000));
}

/* ---- conflict freedom --------------------------------------------------------------- */

/* before[i][j]: every run has step i before step j. */
static void order(bool before[HD_ORACLE_STEPS][HD_ORACLE_STEPS]) {
    for (uint32_t j = 0; j < set.run.count; j++) {
        memset(before[j], 0, set.run.count * sizeof before[j][0]);
    }
    for (uint32_t j = 0; j < set.run.count; j++) {
        const struct hd_oracle_op *b = &set.it.op[set.run.thread[j]][set.run.pos[j]];
        for (uint32_t i = 0; i < j; i++) {
            const struct hd_oracle_op *a = &set.it.op[set.run.thread[i]][set.run.pos[i]];
            bool edge = set.run.thread[i] == set.run.thread[j] ||
                        (a->kind == HD_FORK && a->obj == set.run.thread[j]) ||
                        (b->kind == HD_JOIN && b->obj == set.run.thread[i]) ||
                        (a->kind == HD_BARRIER && b->kind == HD_BLEAVE && a->obj == b->obj);
            if (!edge) continue;
            before[i][j] = true;
            for (uint32_t k = 0; k < i; k++) before[k][j] |= before[k][i];
        }
    }
}

/* The outermost acquire or release of a thread, that is: not reentrant. */
static bool outermost(uint32_t step) {
    uint32_t t = set.run.thread[step], lock = set.it.op[t][set.run.pos[step]].obj;
    int level = 0;
    for (uint32_t p = 0; p < set.run.pos[step]; p++) {
        if (set.it.op[t][p].obj != lock) continue;
        level += (set.it.op[t][p].kind == HD_ACQUIRE) - (set.it.op[t][p].kind == HD_RELEASE);
    }
    return level == (set.it.op[t][set.run.pos[step]].kind == HD_RELEASE);
}

static bool conflict(uint32_t i, uint32_t j) {
    const struct hd_oracle_op *a = &set.it.op[set.run.thread[i]][set.run.pos[i]];
    const struct hd_oracle_op *b = &set.it.op[set.run.thread[j]][set.run.pos[j]];
    if (a->obj != b->obj) return false;
    if (hd_kind_is_access(a->kind) && hd_kind_is_access(b->kind)) {
        return hd_kind_writes(a->kind) || hd_kind_writes(b->kind);
    }
    return a->kind == HD_RELEASE && b->kind == HD_ACQUIRE && !(a->shared && b->shared) &&
           outermost(i) && outermost(j);
}

static bool conflict_free(void) {
    static bool before[HD_ORACLE_STEPS][HD_ORACLE_STEPS];
    order(before);
    for (uint32_t j = 0; j < set.run.count; j++) {
        for (uint32_t i = 0; i < j; i++) {
            if (graph.node[i] == graph.node[j] && !graph.unary[graph.node[i]] &&
                !before[i][j] && conflict(i, j)) {
                return false;
            }
        }
    }
    return true;
}

static void compare_cf(const struct hd_oracle_shape *shape, uint64_t seed, uint32_t count) {
    struct hd_oracle_rng rng = {seed};
    uint32_t guilty = 0;
    for (uint32_t n = 0; n < count; n++) {
        hd_ask_draw(&set, shape, &rng);
        hd_oracle_graph(&set.it, &set.run, HD_ORACLE_MULTI, HD_ORACLE_LOCKS_ALL, &graph);
        bool free = conflict_free();
        if (free != !check("determinism:property=cf").count) {
            disagree(free ? "there is no conflict" : "a conflict was missed", n);
        }
        guilty += !free;
    }
    expect_some(guilty, count);
}

static void test_conflict_freedom(void) {
    struct hd_oracle_shape shape = plain;
    shape.barriers = 1;
    shape.readers = true;
    shape.reentrant = false;
    shape.atomics = true;
    compare_cf(&shape, 3, hd_ask_count(6000));
    shape = plain;
    shape.forks = 90;
    compare_cf(&shape, 4, hd_ask_count(6000));
}

/* ---- the race filter ------------------------------------------------------------------- */

static void test_the_race_filter_changes_no_verdict(void) {
    struct hd_oracle_rng rng = {5};
    struct hd_oracle_shape shape = plain;
    uint32_t guilty = 0, count = hd_ask_count(6000);
    shape.guarded = 85;
    shape.writes = 20;
    shape.variables = 6;
    shape.locks = 1;
    for (uint32_t n = 0; n < count; n++) {
        hd_ask_draw(&set, &shape, &rng);
        bool xs = check("determinism:property=xs").count;
        bool both = check("determinism").count;
        if (xs != (bool)check("determinism:property=xs,filter=races").count) {
            disagree("xs, filtered", n);
        }
        if (both != (bool)check("determinism:filter=races").count) disagree("filtered", n);
        guilty += both;
    }
    expect_some(guilty, count);
}

/* ---- what it is for ----------------------------------------------------------------------- */

/* Thread 0 is one block around everything. */
static void wrap(void) {
    memmove(&set.it.op[0][1], &set.it.op[0][0], set.it.count[0] * sizeof set.it.op[0][0]);
    set.it.op[0][0] = (struct hd_oracle_op){HD_BEGIN, 9, 0};
    set.it.op[0][set.it.count[0] + 1] = (struct hd_oracle_op){HD_END, 0, 0};
    set.it.count[0] += 2;
}

static void test_a_program_without_conflicts_is_deterministic(void) {
    struct hd_oracle_rng rng = {6};
    struct hd_oracle_shape shape = {.threads = 3, .txns = 1, .accesses = 2, .variables = 4,
                                    .locks = 2, .guarded = 20, .writes = 50, .outside = 10,
                                    .locking = HD_ORACLE_NESTED, .fork_inside = true,
                                    .forks = 100, .joins = 60};
    uint32_t clean = 0, count = hd_ask_count(15000);
    for (uint32_t n = 0; n < count; n++) {
        hd_oracle_make(&set.it, &shape, &rng);
        wrap();
        hd_oracle_run_random(&set.it, &rng, &set.run);
        hd_ask_write(&set);
        if (!set.run.complete || check("determinism").count) continue;
        clean++;
        if (!hd_oracle_deterministic(&set.it)) disagree("clean, and not deterministic", n);
    }
    expect_some(clean, count);
}

int main(void) {
    hd_ask_ready();
    UNITY_BEGIN();
    RUN_TEST(test_external_serializability_with_forks);
    RUN_TEST(test_external_serializability_with_barriers_and_semaphores);
    RUN_TEST(test_conflict_freedom);
    RUN_TEST(test_the_race_filter_changes_no_verdict);
    RUN_TEST(test_a_program_without_conflicts_is_deterministic);
    return UNITY_END();
}

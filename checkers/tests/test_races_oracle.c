/* test_races_oracle.c - race detectors against their definitions.
 *
 * Random programs, one random run of each. Beside the detectors the definitions
 * are computed the slow way: a graph over the steps of the run, closed by
 * walking it; and all interleavings, where a race really can happen. SOAK=1
 * tries more. */
#include "checkers/tests/ask.h"

#include "unity.h"

#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static struct hd_ask set;
static struct hd_oracle_facts facts;

#define STEPS HD_ORACLE_STEPS
static uint64_t reach[STEPS][STEPS / 64]; /* bit j of row i: i comes before j */

static const struct hd_oracle_op *op_of(uint32_t step) {
    return &set.it.op[set.run.thread[step]][set.run.pos[step]];
}

/* ---- the graph of a run -------------------------------------------------- */

static void link(uint32_t i, uint32_t j) { reach[i][j / 64] |= 1ull << j % 64; }

static bool before(uint32_t i, uint32_t j) { return reach[i][j / 64] >> j % 64 & 1; }

/* Steps are numbered in the order they ran, so edges only go up. */
static void close_graph(void) {
    for (uint32_t i = set.run.count; i-- > 0;) {
        for (uint32_t j = i + 1; j < set.run.count; j++) {
            if (!before(i, j)) continue;
            for (uint32_t w = 0; w < STEPS / 64; w++) reach[i][w] |= reach[j][w];
        }
    }
}

/* Program order, start, join, barriers: what periods are made of. */
static void link_periods(void) {
    memset(reach, 0, sizeof reach);
    for (uint32_t i = 0; i < set.run.count; i++) {
        const struct hd_oracle_op *a = op_of(i);
        for (uint32_t j = i + 1; j < set.run.count; j++) {
            const struct hd_oracle_op *b = op_of(j);
            bool same = set.run.thread[i] == set.run.thread[j];
            if (same || (a->kind == HD_FORK && a->obj == set.run.thread[j]) ||
                (b->kind == HD_JOIN && b->obj == set.run.thread[i]) ||
                (a->kind == HD_BARRIER && b->kind == HD_BLEAVE && a->obj == b->obj)) {
                link(i, j);
            }
        }
    }
}

/* The level of a lock in a thread before a step: only the outermost count. */
static uint32_t level(uint32_t step) {
    uint32_t held = 0;
    for (uint32_t p = 0; p < set.run.pos[step]; p++) {
        const struct hd_oracle_op *o = &set.it.op[set.run.thread[step]][p];
        if (o->obj == op_of(step)->obj) {
            held += o->kind == HD_ACQUIRE;
            held -= o->kind == HD_RELEASE;
        }
    }
    return held;
}

static bool outer(uint32_t step) {
    return level(step) == (op_of(step)->kind == HD_RELEASE);
}

/* Was the lock that this release lets go of held for reading only? */
static bool was_shared(uint32_t step) {
    uint32_t t = set.run.thread[step], p = set.run.pos[step];
    return facts.shared[t][p] >> op_of(step)->obj & 1;
}

/* Locks: a release before each later acquire, unless both are readers. */
static void link_locks(void) {
    for (uint32_t i = 0; i < set.run.count; i++) {
        if (op_of(i)->kind != HD_RELEASE || !outer(i)) continue;
        for (uint32_t j = i + 1; j < set.run.count; j++) {
            const struct hd_oracle_op *b = op_of(j);
            if (b->kind == HD_ACQUIRE && b->obj == op_of(i)->obj && outer(j) &&
                !(was_shared(i) && b->shared)) {
                link(i, j);
            }
        }
    }
}

/* Atomics, all sequentially consistent: a read after the write it reads from and
 * after those whose release sequence that write goes on with. */
static void link_atomics(void) {
    for (uint32_t j = 0; j < set.run.count; j++) {
        if (!hd_kind_reads(op_of(j)->kind) || hd_kind_is_plain(op_of(j)->kind) ||
            !hd_kind_is_access(op_of(j)->kind)) {
            continue;
        }
        for (uint32_t i = j; i-- > 0;) {
            const struct hd_oracle_op *a = op_of(i);
            if (a->obj != op_of(j)->obj || (a->kind != HD_VWRITE && a->kind != HD_VRMW)) continue;
            link(i, j);
            if (a->kind == HD_VWRITE) break;
        }
    }
}

/* Semaphores: the k-th wait after each post it could not have passed without,
 * by the posts up to then. Order among posts is needed first, so this runs once
 * per wait, in order, over a graph closed so far. */
static void link_semaphores(void) {
    uint32_t waits[HD_ORACLE_OBJECTS] = {0};
    for (uint32_t j = 0; j < set.run.count; j++) {
        if (op_of(j)->kind != HD_PEND) continue;
        uint32_t sem = op_of(j)->obj, k = ++waits[sem];
        close_graph();
        for (uint32_t v = 0; v < j; v++) {
            if (op_of(v)->kind != HD_POST || op_of(v)->obj != sem) continue;
            uint32_t others = 0;
            for (uint32_t w = 0; w < j; w++) {
                others += op_of(w)->kind == HD_POST && op_of(w)->obj == sem && w != v &&
                          !before(v, w);
            }
            if (set.it.initial[sem] + others < k) link(v, j);
        }
    }
}

/* ---- definitions ------------------------------------------------------------ */

static bool plain(uint32_t i) { return hd_kind_is_plain(op_of(i)->kind); }

static bool conflict(uint32_t i, uint32_t j) {
    const struct hd_oracle_op *a = op_of(i), *b = op_of(j);
    return set.run.thread[i] != set.run.thread[j] && hd_kind_is_access(a->kind) &&
           hd_kind_is_access(b->kind) && a->obj == b->obj &&
           (hd_kind_writes(a->kind) || hd_kind_writes(b->kind));
}

/* Locks that protect a step: all for a read, those held for writing for a write. */
static uint32_t guards(uint32_t i) {
    uint32_t t = set.run.thread[i], p = set.run.pos[i];
    return hd_kind_writes(op_of(i)->kind) ? facts.exclusive[t][p]
                                          : facts.exclusive[t][p] | facts.shared[t][p];
}

struct found {
    uint32_t variables;
    uint64_t pairs[HD_ORACLE_OBJECTS]; /* per variable: bit t*8+u, t < u */
};

static void add(struct found *f, uint32_t variable, uint32_t t, uint32_t u) {
    uint32_t low = t < u ? t : u, high = t < u ? u : t;
    f->variables |= 1u << variable;
    f->pairs[variable] |= 1ull << (low * 8 + high);
}

static struct found by_definition(bool observed) {
    struct found f = {0};
    for (uint32_t i = 0; i < set.run.count; i++) {
        for (uint32_t j = i + 1; j < set.run.count; j++) {
            if (!conflict(i, j) || before(i, j)) continue;
            if (observed ? !(plain(i) || plain(j)) : !(plain(i) && plain(j))) continue;
            if (!observed && guards(i) & guards(j)) continue;
            add(&f, op_of(i)->obj, set.run.thread[i], set.run.thread[j]);
        }
    }
    return f;
}

/* What a checker says about the run; threads and variables are numbers there. */
static struct found by_checker(const char *checker) {
    struct hd_report *report = hd_ask_report(&set, checker, "none");
    const struct hd_trace *trace = set.trace;
    for (uint32_t i = 0; i < hd_report_notes(report); i++) {
        const char *note = hd_report_note(report, i);
        if (!strstr(note, "started by nobody")) TEST_FAIL_MESSAGE(note);
    }
    struct found f = {0};
    for (uint32_t i = 0; i < hd_report_count(report); i++) {
        for (const struct hd_warning *w = hd_report_warning(report, i); w; w = w->next_variant) {
            char buffer[32];
            uint32_t v = hd_trace_granule_variable(trace, w->accesses[0].obj);
            const char *name = hd_trace_variable_name(trace, v, buffer, sizeof buffer);
            add(&f, (uint32_t)atoi(name + 1),
                (uint32_t)atoi(hd_trace_thread(trace, w->accesses[0].thread) + 1),
                (uint32_t)atoi(hd_trace_thread(trace, w->accesses[1].thread) + 1));
        }
    }
    hd_report_free(report);
    return f;
}

static void differ(const char *what, uint32_t n, uint64_t want, uint64_t is) {
    TEST_FAIL_MESSAGE(hd_ask_disagree(&set, n, "%s: expected %llx, said %llx", what,
                                      (unsigned long long)want, (unsigned long long)is));
}

static void make(const struct hd_oracle_shape *shape, struct hd_oracle_rng *rng) {
    hd_ask_draw(&set, shape, rng);
    hd_oracle_facts(&set.it, &facts);
}

static const struct hd_oracle_shape shapes[] = {
    {.threads = 3, .txns = 2, .accesses = 4, .outside = 30, .variables = 2, .locks = 2,
     .guarded = 60, .writes = 40, .locking = HD_ORACLE_NESTED},
    {.threads = 4, .txns = 2, .accesses = 3, .outside = 30, .variables = 3, .locks = 3,
     .guarded = 70, .writes = 40, .locking = HD_ORACLE_HAND_OVER, .forks = 60, .joins = 60,
     .reentrant = true},
    {.threads = 4, .txns = 2, .accesses = 3, .outside = 50, .variables = 2, .locks = 2,
     .guarded = 60, .writes = 40, .locking = HD_ORACLE_NESTED, .readers = true, .barriers = 1},
    {.threads = 4, .txns = 2, .accesses = 3, .outside = 50, .variables = 2, .locks = 1,
     .guarded = 50, .writes = 50, .locking = HD_ORACLE_NESTED, .forks = 80, .joins = 80,
     .fork_inside = true},
};
#define SHAPES (sizeof shapes / sizeof *shapes)

/* Lockset and period pairs, exactly; and multilockset, which never misses one. */
static void test_pairs_are_those_of_the_definition_and_multilockset_misses_none(void) {
    struct hd_oracle_rng rng = {11};
    uint32_t racy = 0, alarms = 0, count = hd_ask_count(100000);
    for (uint32_t n = 0; n < count; n++) {
        make(&shapes[n % SHAPES], &rng);
        link_periods();
        close_graph();
        struct found want = by_definition(false), is = by_checker("races:algorithm=pairs");
        for (uint32_t v = 0; v < HD_ORACLE_OBJECTS; v++) {
            if (want.pairs[v] != is.pairs[v]) differ("pairs", n, want.pairs[v], is.pairs[v]);
        }
        is = by_checker("races:algorithm=multilockset");
        if (want.variables & ~is.variables) {
            differ("multilockset", n, want.variables, is.variables);
        }
        racy += want.variables != 0;
        alarms += is.variables != want.variables;
    }
    TEST_ASSERT_GREATER_THAN_UINT32(count / 4, racy);
    TEST_ASSERT_LESS_THAN_UINT32(count, racy);
    TEST_ASSERT_LESS_THAN_UINT32(count / 20, alarms); /* and is seldom wrong otherwise */
}

static void test_what_can_happen_is_predicted(void) {
    struct hd_oracle_rng rng = {13};
    struct hd_oracle_shape shape = shapes[1];
    uint32_t seen = 0, count = hd_ask_count(3000);
    shape.threads = 3;
    for (uint32_t n = 0; n < count; n++) {
        make(&shape, &rng);
        if (!set.run.complete) continue; /* accesses that did not happen are not in the trace */
        uint32_t real = hd_oracle_races(&set.it);
        uint32_t is = by_checker("races:algorithm=pairs").variables;
        if (real & ~is) differ("all interleavings", n, real, is);
        seen += real != 0;
    }
    TEST_ASSERT_GREATER_THAN_UINT32(count / 4, seen);
}

static void test_happens_before_is_reachability_in_the_run(void) {
    struct hd_oracle_rng rng = {14};
    uint32_t racy = 0, count = hd_ask_count(90000);
    for (uint32_t n = 0; n < count; n++) {
        struct hd_oracle_shape shape = shapes[n % SHAPES];
        shape.atomics = n / 4 % 2;
        make(&shape, &rng);
        link_periods();
        link_locks();
        link_atomics();
        close_graph();
        uint32_t want = by_definition(true).variables;
        uint32_t is = by_checker("races:algorithm=hb").variables;
        if (want != is) differ("hb", n, want, is);
        racy += want != 0;
    }
    TEST_ASSERT_GREATER_THAN_UINT32(count / 4, racy);
    TEST_ASSERT_LESS_THAN_UINT32(count, racy);
}

static void test_semaphores_order_only_what_they_must(void) {
    struct hd_oracle_rng rng = {15};
    uint32_t racy = 0, count = hd_ask_count(10000);
    struct hd_oracle_shape shape = {.threads = 3, .txns = 2, .accesses = 3, .outside = 60,
                                    .variables = 2, .locks = 1, .guarded = 30, .writes = 50,
                                    .locking = HD_ORACLE_NESTED, .semaphores = 2};
    for (uint32_t n = 0; n < count; n++) {
        make(&shape, &rng);
        link_periods();
        link_locks();
        link_semaphores();
        close_graph();
        uint32_t want = by_definition(true).variables;
        uint32_t is = by_checker("races:algorithm=hb").variables;
        if (want != is) differ("hb with semaphores", n, want, is);
        racy += want != 0;
    }
    TEST_ASSERT_GREATER_THAN_UINT32(count / 10, racy);
}

int main(void) {
    hd_ask_ready();
    UNITY_BEGIN();
    RUN_TEST(test_pairs_are_those_of_the_definition_and_multilockset_misses_none);
    RUN_TEST(test_what_can_happen_is_predicted);
    RUN_TEST(test_happens_before_is_reachability_in_the_run);
    RUN_TEST(test_semaphores_order_only_what_they_must);
    return UNITY_END();
}

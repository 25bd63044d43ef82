/* test_period.c - thread periods against reachability in the graph they stand for.
 *
 * Random starts, joins and barriers; beside the vector clocks a plain graph of
 * the operations is kept, and for every two periods the order is looked up there
 * by walking it. */
#include "checkers/period.h"
#include "checkers/tests/oracle.h"

#include "unity.h"

#include <stdlib.h>
#include <string.h>

#define THREADS 6
#define NODES 64
#define PERIODS 96

void setUp(void) {}
void tearDown(void) {}

static struct {
    bool edge[NODES][NODES];
    bool reach[NODES][NODES];
    int nodes;
    int last[THREADS]; /* last node of each thread */
    bool alive[THREADS], over[THREADS];
    struct {
        uint32_t id;
        int thread, from, to; /* between these two nodes; to -1: not over */
    } period[PERIODS];
    int periods;
    int open[THREADS]; /* the period it is in, or -1 while not asked for */
} g;

static int node(void) { return g.nodes++; }

static void link(int from, int to) { g.edge[from][to] = true; }

/* A new node of a thread: ends its period. */
static int advance(int t) {
    int n = node();
    link(g.last[t], n);
    if (g.open[t] >= 0) g.period[g.open[t]].to = n;
    g.open[t] = -1;
    g.last[t] = n;
    return n;
}

static void see(struct hd_periods *p, int t) {
    uint32_t id = hd_period_now(p, (uint32_t)t);
    if (g.open[t] < 0) {
        TEST_ASSERT_EQUAL_UINT32(g.periods, id);
        g.open[t] = g.periods;
        g.period[g.periods].id = id;
        g.period[g.periods].thread = t;
        g.period[g.periods].from = g.last[t];
        g.period[g.periods++].to = -1;
    }
    TEST_ASSERT_EQUAL_UINT32(g.period[g.open[t]].id, id);
}

static void random_step(struct hd_periods *p, struct hd_oracle_rng *rng, uint32_t *episode) {
    int t = (int)hd_oracle_below(rng, THREADS), u = (int)hd_oracle_below(rng, THREADS);
    if (!g.alive[t] || g.over[t]) return;
    switch (hd_oracle_below(rng, 5)) {
    case 0: /* start */
        if (u == t || g.alive[u]) return;
        hd_period_fork(p, (uint32_t)t, (uint32_t)u);
        link(advance(t), g.last[u]);
        g.alive[u] = true;
        break;
    case 1: /* join */
    case 4:
        if (u == t || !g.alive[u] || g.over[u]) return;
        hd_period_join(p, (uint32_t)t, (uint32_t)u);
        g.over[u] = true;
        int end = advance(u);
        link(end, advance(t));
        break;
    case 2: { /* barrier of some of those alive */
        int in[THREADS], count = 0, hub = node();
        for (int k = 0; k < THREADS; k++) {
            if (g.alive[k] && !g.over[k] && (k == t || hd_oracle_below(rng, 2))) in[count++] = k;
        }
        for (int k = 0; k < count; k++) {
            hd_period_arrive(p, (uint32_t)in[k], 3, *episode);
            link(advance(in[k]), hub);
        }
        for (int k = count; k-- > 0;) {
            hd_period_leave(p, (uint32_t)in[k], 3, *episode);
            link(hub, advance(in[k]));
        }
        (*episode)++;
        break;
    }
    default: see(p, t);
    }
}

static void close_graph(void) {
    memcpy(g.reach, g.edge, sizeof g.reach);
    for (int k = 0; k < g.nodes; k++) {
        for (int i = 0; i < g.nodes; i++) {
            for (int j = 0; g.reach[i][k] && j < g.nodes; j++) {
                g.reach[i][j] |= g.reach[k][j];
            }
        }
    }
}

static bool before(int p, int q) {
    int end = g.period[p].to, begin = g.period[q].from;
    return end >= 0 && (end == begin || g.reach[end][begin]);
}

static uint64_t apart; /* pairs of periods that their threads' phases tell apart */

static uint64_t one_graph(struct hd_oracle_rng *rng) {
    struct hd_arena *arena = hd_arena_new();
    struct hd_periods *p = hd_periods_new(arena, THREADS);
    uint32_t episode = 0;
    memset(&g, 0, sizeof g);
    for (int t = 0; t < THREADS; t++) {
        g.last[t] = node();
        g.open[t] = -1;
    }
    g.alive[0] = true;
    g.alive[1] = hd_oracle_below(rng, 2); /* two run from the start */
    while (g.nodes < NODES - 2 * THREADS - 2 && g.periods < PERIODS - 1 &&
           hd_oracle_below(rng, 60)) {
        random_step(p, rng, &episode);
    }
    close_graph();
    uint64_t asked = 0;
    for (int a = 0; a < g.periods; a++) {
        for (int b = 0; b < g.periods; b++, asked++) {
            bool ab = a != b && before(a, b), ba = a != b && before(b, a);
            TEST_ASSERT_EQUAL(ab, hd_period_before(p, g.period[a].id, g.period[b].id));
            TEST_ASSERT_EQUAL(!ab && !ba && g.period[a].thread != g.period[b].thread,
                              hd_period_par(p, g.period[a].id, g.period[b].id));
            uint32_t x = hd_period_phase(p, (uint32_t)g.period[a].thread),
                     y = hd_period_phase(p, (uint32_t)g.period[b].thread);
            if (!x || !y || x == y) continue;
            TEST_ASSERT_TRUE(x < y ? ab : ba);
            apart++;
        }
    }
    hd_arena_free(arena);
    return asked;
}

static void test_the_order_of_periods_is_reachability_in_the_graph(void) {
    struct hd_oracle_rng rng = {7};
    uint64_t asked = 0;
    int graphs = getenv("SOAK") ? 400000 : 20000;
    for (int i = 0; i < graphs; i++) asked += one_graph(&rng);
    TEST_ASSERT_GREATER_THAN_UINT64(100000, asked);
    TEST_ASSERT_GREATER_THAN_UINT64(500, apart);
}

static void test_ten_thousand_threads_cost_no_full_vector_each(void) {
    struct hd_arena *arena = hd_arena_new();
    uint32_t n = 10000;
    struct hd_periods *p = hd_periods_new(arena, n + 1);
    for (uint32_t t = 1; t <= n; t++) {
        hd_period_now(p, 0);
        hd_period_fork(p, 0, t);
        hd_period_now(p, t);
        hd_period_join(p, 0, t);
    }
    TEST_ASSERT_TRUE(hd_period_before(p, 1, hd_period_now(p, 0)));
    TEST_ASSERT_LESS_THAN_UINT64(100u << 20, hd_arena_used(arena));
    hd_arena_free(arena);
}

static void test_leaving_a_barrier_that_nobody_came_to_is_nothing(void) {
    struct hd_arena *arena = hd_arena_new();
    struct hd_periods *p = hd_periods_new(arena, 2);
    uint32_t first = hd_period_now(p, 0);
    hd_period_leave(p, 0, 9, 9);
    TEST_ASSERT_EQUAL_UINT32(first, hd_period_now(p, 0));
    hd_arena_free(arena);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_the_order_of_periods_is_reachability_in_the_graph);
    RUN_TEST(test_ten_thousand_threads_cost_no_full_vector_each);
    RUN_TEST(test_leaving_a_barrier_that_nobody_came_to_is_nothing);
    return UNITY_END();
}

/* test_graph.c - the graph that is not kept, against one that is.
 *
 * Many running nodes at once, more than a word has bits; nodes that end, are
 * forgotten and used again; and after every edge the answer of a plain search over
 * all edges that ever were. */
#include "checkers/graph_cell.h"

#include "unity.h"

#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

#define NODES 40000
#define RUNNING 200
#define PLACES 300 /* references that are kept: the rest is garbage */

/* The plain one: for each node, who comes directly after it. */
static struct {
    uint32_t *after;
    uint32_t count, room;
} plain[NODES];
static uint32_t plain_count, seen[NODES], seen_now;

static void plain_edge(uint32_t from, uint32_t to) {
    if (plain[from].count == plain[from].room) {
        plain[from].room = plain[from].room ? plain[from].room * 2 : 4;
        plain[from].after = realloc(plain[from].after, plain[from].room * sizeof(uint32_t));
    }
    plain[from].after[plain[from].count++] = to;
}

static bool plain_reaches(uint32_t from, uint32_t to) {
    static uint32_t stack[NODES];
    uint32_t depth = 0;
    seen_now++;
    seen[from] = seen_now;
    stack[depth++] = from;
    while (depth) {
        uint32_t n = stack[--depth];
        if (n == to) return true;
        for (uint32_t i = 0; i < plain[n].count; i++) {
            uint32_t next = plain[n].after[i];
            if (seen[next] == seen_now) continue;
            seen[next] = seen_now;
            stack[depth++] = next;
        }
    }
    return false;
}

static uint64_t state = 1;
static uint32_t below(uint32_t n) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)((state >> 32) * n >> 32);
}

/* A reference and what it is in the plain graph. `op.obj` carries the number too. */
static struct {
    struct hd_point point;
    uint32_t number;
} places[PLACES], running[RUNNING];
static struct hd_graph *graph;
static uint64_t seq;

static void roots(void *context) {
    (void)context;
    for (int i = 0; i < PLACES; i++) hd_graph_mark(graph, places[i].point.node);
    for (int i = 0; i < RUNNING; i++) hd_graph_mark(graph, running[i].point.node);
}

static struct hd_access op_of(uint32_t number) {
    return (struct hd_access){.seq = ++seq, .obj = number, .kind = HD_WRITE};
}

static void check_path(const struct hd_point *from, hd_node to, uint32_t number) {
    struct hd_hop hops[HD_GRAPH_LONG + 1];
    uint32_t n = hd_graph_path(graph, from, to, hops, HD_GRAPH_LONG + 1);
    TEST_ASSERT_TRUE(n > 0 && n <= HD_GRAPH_LONG);
    TEST_ASSERT_EQUAL_UINT32(number, hops[0].from.obj);
    for (uint32_t i = 0; i < n; i++) {
        /* A node outside of transactions may have taken in later operations. */
        bool known = plain_reaches(hops[i].from.obj, hops[i].to.obj);
        TEST_ASSERT_TRUE(known);
        if (i + 1 < n) TEST_ASSERT_TRUE(plain_reaches(hops[i].to.obj, hops[i + 1].from.obj));
    }
    TEST_ASSERT_TRUE(plain_reaches(hops[n - 1].to.obj, from->op.obj));
}

static void open_one(uint32_t r) {
    uint32_t number = plain_count++, before = below(PLACES);
    struct hd_access op = op_of(number);
    running[r].point.node = hd_graph_open(graph, &places[before].point, &op, number);
    if (places[before].number != HD_NO_ID) plain_edge(places[before].number, number);
    running[r].point.op = op;
    running[r].number = number;
}

static void single(uint32_t place) {
    uint32_t number = plain_count++, before = below(PLACES);
    struct hd_access op = op_of(number);
    hd_graph_single(graph, &places[before].point);
    if (places[before].number != HD_NO_ID) plain_edge(places[before].number, number);
    for (uint32_t n = below(3); n-- > 0;) {
        uint32_t r = below(RUNNING), p = below(PLACES);
        if (below(2) && running[r].point.node) {
            hd_graph_single_after(graph, &running[r].point);
            plain_edge(running[r].number, number);
        } else if (places[p].number != HD_NO_ID) {
            hd_graph_single_after(graph, &places[p].point);
            plain_edge(places[p].number, number);
        }
    }
    places[place].point = (struct hd_point){hd_graph_single_end(graph, &op), op};
    places[place].number = number;
}

static void edge(uint32_t r, uint32_t *cycles) {
    uint32_t p = below(PLACES), o = below(RUNNING);
    bool to_running = below(3) == 0;
    const struct hd_point *from = to_running ? &running[o].point : &places[p].point;
    uint32_t number = to_running ? running[o].number : places[p].number;
    if ((to_running && !running[o].point.node) || number == HD_NO_ID) return;
    if (number == running[r].number) return;
    bool closes = plain_reaches(running[r].number, number);
    struct hd_access op = op_of(running[r].number);
    bool found = hd_graph_edge(graph, from, &op, running[r].point.node);
    TEST_ASSERT_EQUAL(closes, found);
    if (found) {
        if (++*cycles % 64 == 1) check_path(from, running[r].point.node, running[r].number);
    }
    plain_edge(number, running[r].number);
}

/* `most` nodes run at once; edges are `often` in a hundred. */
static void compare(uint32_t most, uint32_t often, uint32_t steps) {
    struct hd_arena *arena = hd_arena_new();
    uint32_t cycles = 0, edges = 0;
    memset(running, 0, sizeof running);
    for (uint32_t i = 0; i < plain_count; i++) plain[i].count = 0;
    plain_count = 0;
    for (int i = 0; i < PLACES; i++) {
        memset(&places[i], 0, sizeof places[i]);
        places[i].number = HD_NO_ID;
    }
    graph = hd_graph_new(arena, 0, roots, NULL);
    for (uint32_t n = 0; n < steps && plain_count + 2 < NODES; n++) {
        uint32_t r = below(most), place = below(PLACES), what = below(100);
        if (!running[r].point.node) {
            open_one(r);
        } else if (what < often) {
            edge(r, &cycles);
            edges++;
        } else if (what < often + 5 && r != 0) { /* node 0 runs all the time */
            hd_graph_close(graph, running[r].point.node);
            places[place].point = running[r].point;
            places[place].number = running[r].number;
            running[r].point.node = 0;
        } else if (what < often + 10) {
            places[place].point = running[r].point;
            places[place].number = running[r].number;
        } else {
            single(place);
        }
    }
    TEST_ASSERT_GREATER_THAN(edges / 100, cycles);
    TEST_ASSERT_GREATER_THAN(100, edges);
    hd_arena_free(arena);
}

static void test_few_running_nodes(void) { compare(4, 10, 30000); }
static void test_as_many_as_a_word_has_bits(void) { compare(64, 20, 20000); }
static void test_more_than_a_word_has_bits(void) { compare(RUNNING, 20, 20000); }
static void test_many_edges(void) { compare(100, 60, 8000); }

static void test_what_ended_with_nothing_before_it_is_forgotten(void) {
    struct hd_arena *arena = hd_arena_new();
    struct hd_point none = {0}, first, second;
    struct hd_access op = op_of(1);
    graph = hd_graph_new(arena, 0, roots, NULL);
    memset(running, 0, sizeof running);
    memset(places, 0, sizeof places);
    first = (struct hd_point){hd_graph_open(graph, &none, &op, 1), op};
    second = (struct hd_point){hd_graph_open(graph, &first, &op, 2), op};
    hd_graph_close(graph, second.node);
    TEST_ASSERT_TRUE(hd_graph_has(graph, second.node)); /* the first still reaches it */
    hd_graph_close(graph, first.node);
    TEST_ASSERT_FALSE(hd_graph_has(graph, first.node));
    TEST_ASSERT_FALSE(hd_graph_has(graph, second.node));
    hd_arena_free(arena);
}

/* A million transactions after one that never ends: memory stays where it is. */
static void test_memory_follows_what_is_referred_to(void) {
    struct hd_arena *arena = hd_arena_new();
    struct hd_point none = {0};
    struct hd_access op = op_of(1);
    size_t early = 0;
    graph = hd_graph_new(arena, 0, roots, NULL);
    memset(running, 0, sizeof running);
    memset(places, 0, sizeof places);
    running[0].point = (struct hd_point){hd_graph_open(graph, &none, &op, 1), op};
    for (uint32_t n = 0; n < 1000000; n++) {
        if (n == 16000) early = hd_arena_used(arena); /* soon: a trace may be short */
        struct hd_point *place = &places[n % PLACES].point;
        const struct hd_point *before = n ? &places[(n - 1) % PLACES].point : &running[0].point;
        op.seq = ++seq;
        hd_node node = hd_graph_open(graph, before, &op, 2);
        *place = (struct hd_point){node, op};
        hd_graph_close(graph, node);
        TEST_ASSERT_TRUE(hd_graph_has(graph, node));
    }
    TEST_ASSERT_EQUAL_size_t(early, hd_arena_used(arena));
    hd_arena_free(arena);
}

static void test_a_cell_finds_its_readers_however_many(void) {
    struct hd_arena *arena = hd_arena_new();
    struct hd_cell cell = {.written = false};
    enum { THREADS = 300 };
    for (int round = 0; round < 3; round++) {
        for (uint32_t n = 0; n < THREADS; n++) {
            uint32_t t = n * 7 % THREADS;
            TEST_ASSERT_NULL(hd_cell_reader(&cell, t));
            struct hd_point *p = hd_cell_add(arena, &cell, t, THREADS);
            p->op.thread = (uint16_t)t;
            p->op.obj = t + 1;
            TEST_ASSERT_EQUAL_PTR(p, hd_cell_reader(&cell, t));
        }
        bool met[THREADS] = {false};
        uint32_t at = 0, count = 0;
        for (struct hd_point *p; (p = hd_cell_next(&cell, &at, THREADS)); count++) {
            TEST_ASSERT_EQUAL_UINT32(p->op.thread + 1u, p->op.obj);
            TEST_ASSERT_FALSE(met[p->op.thread]);
            met[p->op.thread] = true;
        }
        TEST_ASSERT_EQUAL_UINT32(THREADS, count);
        hd_cell_forget(&cell, THREADS);
    }
    hd_arena_free(arena);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_few_running_nodes);
    RUN_TEST(test_as_many_as_a_word_has_bits);
    RUN_TEST(test_more_than_a_word_has_bits);
    RUN_TEST(test_many_edges);
    RUN_TEST(test_what_ended_with_nothing_before_it_is_forgotten);
    RUN_TEST(test_memory_follows_what_is_referred_to);
    RUN_TEST(test_a_cell_finds_its_readers_however_many);
    return UNITY_END();
}

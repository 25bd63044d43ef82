/* test_granules.c - granules against bytes.
 *
 * Random variables, overlapping or not: two of them share a granule exactly if they
 * share a byte, and a granule is called after the smallest variable that covers it. */
#include "../tables.h"

#include "unity.h"

#include <stdlib.h>

void setUp(void) {}
void tearDown(void) {}

#define MOST 40

static uint64_t seed = 1;

static uint32_t below(uint32_t n) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((seed >> 33) % n);
}

static uint64_t end_of(const struct hd_variable *v) {
    return v->offset + (v->size ? v->size : 1);
}

static bool overlap(const struct hd_variable *u, const struct hd_variable *v) {
    return u->object == v->object && u->offset < end_of(v) && v->offset < end_of(u);
}

static bool covers(const struct hd_tables *t, uint32_t v, uint32_t granule) {
    return granule - t->granule_first[v] < t->granule_count[v];
}

static void draw(struct hd_variable *variables, uint32_t count) {
    uint32_t objects = 1 + below(4), range = below(2) ? 60 : 5000;
    uint64_t far = below(4) ? 1 : (uint64_t)1 << 40;
    uint32_t numbers = below(4) ? 1 : 4096;
    for (uint32_t i = 0; i < count; i++) {
        variables[i] = (struct hd_variable){.object = below(objects) * numbers,
                                            .size = below(9),
                                            .offset = below(range) * far};
    }
}

static void compare(const struct hd_tables *t, uint32_t count) {
    for (uint32_t v = 0; v < count; v++) {
        TEST_ASSERT_GREATER_THAN_UINT32(0, t->granule_count[v]);
        TEST_ASSERT_TRUE(t->granule_first[v] + t->granule_count[v] <= t->granules);
        for (uint32_t u = 0; u < v; u++) {
            bool share = t->granule_first[u] < t->granule_first[v] + t->granule_count[v] &&
                         t->granule_first[v] < t->granule_first[u] + t->granule_count[u];
            TEST_ASSERT_EQUAL(overlap(&t->variables[u], &t->variables[v]), share);
        }
    }
    for (uint32_t g = 0; g < t->granules; g++) {
        uint32_t name = t->granule_variable[g];
        TEST_ASSERT_TRUE(covers(t, name, g));
        TEST_ASSERT_EQUAL_UINT32(g, t->granule_list[g]);
        for (uint32_t v = 0; v < count; v++) {
            if (!covers(t, v, g)) continue;
            TEST_ASSERT_TRUE(t->variables[name].size <= t->variables[v].size);
        }
    }
}

static void test_variables_share_a_granule_if_they_share_a_byte(void) {
    for (uint32_t n = 0; n < (getenv("SOAK") ? 200000u : 10000u); n++) {
        struct hd_variable variables[MOST];
        struct hd_tables t = {.variables = variables};
        struct hd_error err = {.text = ""};
        uint32_t count = t.count[HD_TABLE_VARIABLE] = below(MOST);
        draw(variables, count);
        TEST_ASSERT_EQUAL_INT_MESSAGE(0, hd_tables_cut(&t, &err), err.text);
        compare(&t, count);
        free(t.granule_first);
        free(t.granule_count);
        free(t.granule_list);
        free(t.granule_variable);
    }
}

/* Rows of arrays in any order, cut anywhere, with single variables in between: granules
 * are numbered by place. */
enum { MANY = 20000 };
static struct hd_variable many[MANY];

static int by_place(const void *a, const void *b) {
    const struct hd_variable *x = &many[*(const uint32_t *)a], *y = &many[*(const uint32_t *)b];
    if (x->object != y->object) return x->object < y->object ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static void test_rows_in_any_order_are_numbered_by_place(void) {
    static uint32_t order[MANY];
    for (uint32_t n = 0; n < 200; n++) {
        uint32_t count = 0, rows = 1 + below(n % 2 ? 40 : 400), gap = below(3) ? 1 : 3;
        for (uint32_t r = 0; r < rows; r++) {
            uint32_t at = (r * 7919 + n) % rows, length = 1 + below(45), skip = below(4) ? 0 : below(length + 1);
            for (uint32_t i = 0; i < length; i++) {
                many[count++] = (struct hd_variable){
                    .object = at % 3, .size = 4, .offset = at * 1000ul + (uint64_t)i * 4 * gap};
            }
            if (skip && gap == 3) { /* between two elements of the row */
                many[count++] = (struct hd_variable){
                    .object = at % 3, .size = 4, .offset = at * 1000ul + (uint64_t)skip * 12 - 8};
            }
        }
        struct hd_tables t = {.variables = many};
        struct hd_error err = {.text = ""};
        t.count[HD_TABLE_VARIABLE] = count;
        for (uint32_t i = 0; i < count; i++) order[i] = i;
        qsort(order, count, sizeof *order, by_place);
        TEST_ASSERT_EQUAL_INT_MESSAGE(0, hd_tables_cut(&t, &err), err.text);
        TEST_ASSERT_EQUAL_UINT32(count, t.granules);
        for (uint32_t i = 0; i < count; i++) TEST_ASSERT_EQUAL_UINT32(i, t.granule_first[order[i]]);
        free(t.granule_first);
        free(t.granule_count);
        free(t.granule_list);
        free(t.granule_variable);
    }
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_variables_share_a_granule_if_they_share_a_byte);
    RUN_TEST(test_rows_in_any_order_are_numbered_by_place);
    return UNITY_END();
}

/* test_lockset.c - interned sets against sets as bits. */
#include "checkers/lockset.h"
#include "checkers/tests/oracle.h"

#include "unity.h"

#include <stdlib.h>

#define LOCKS 12

void setUp(void) {}
void tearDown(void) {}

static struct hd_locksets *sets;

static uint32_t of_bits(uint32_t bits) {
    uint32_t elements[32], n = 0;
    for (uint32_t e = 32; e-- > 0;) { /* in the wrong order, on purpose */
        if (bits >> e & 1) elements[n++] = e;
    }
    return hd_lockset_of(sets, elements, n);
}

static uint32_t to_bits(uint32_t id) {
    uint32_t n, bits = 0;
    const uint32_t *e = hd_lockset_elements(sets, id, &n);
    for (uint32_t i = 0; i < n; i++) {
        if (i) TEST_ASSERT_GREATER_THAN_UINT32(e[i - 1], e[i]);
        bits |= 1u << e[i];
    }
    return bits;
}

/* By definition: share a lock that one of the two has exclusively. */
static bool exclude(uint32_t a, uint32_t b) {
    for (uint32_t l = 0; l < LOCKS; l++) {
        uint32_t in_a = a >> HD_LOCK_SHARED(l) & 3, in_b = b >> HD_LOCK_SHARED(l) & 3;
        if (in_a && in_b && ((in_a | in_b) & 2)) return true;
    }
    return false;
}

static uint32_t guards(uint32_t a, bool write) {
    uint32_t bits = 0;
    for (uint32_t l = 0; l < LOCKS; l++) {
        uint32_t in = a >> HD_LOCK_SHARED(l) & 3;
        if (write ? in & 2 : in) bits |= 1u << HD_LOCK_EXCLUSIVE(l);
    }
    return bits;
}

static void test_all_operations_are_those_of_sets(void) {
    struct hd_arena *arena = hd_arena_new();
    struct hd_oracle_rng rng = {3};
    sets = hd_locksets_new(arena);
    TEST_ASSERT_EQUAL_UINT32(HD_LOCKSET_EMPTY, of_bits(0));
    for (int i = 0; i < (getenv("SOAK") ? 5000000 : 300000); i++) {
        uint32_t mask = (1u << 2 * LOCKS) - 1;
        uint32_t a = (uint32_t)(hd_oracle_random(&rng) & hd_oracle_random(&rng)) & mask;
        uint32_t b = (uint32_t)(hd_oracle_random(&rng) & hd_oracle_random(&rng)) & mask;
        if (i % 3 == 0) b &= (uint32_t)hd_oracle_random(&rng) & (uint32_t)hd_oracle_random(&rng);
        if (i % 5 == 0) b &= a;
        uint32_t e = hd_oracle_below(&rng, 2 * LOCKS), x = of_bits(a), y = of_bits(b);
        TEST_ASSERT_EQUAL_UINT32(a, to_bits(x));
        TEST_ASSERT_EQUAL_UINT32(x, of_bits(a));
        TEST_ASSERT_EQUAL_UINT32(of_bits(a & b), hd_lockset_meet(sets, x, y));
        TEST_ASSERT_EQUAL_UINT32(of_bits(a | b), hd_lockset_join(sets, x, y));
        TEST_ASSERT_EQUAL_UINT32(of_bits(a | 1u << e), hd_lockset_add(sets, x, e));
        TEST_ASSERT_EQUAL_UINT32(of_bits(a & ~(1u << e)), hd_lockset_remove(sets, x, e));
        TEST_ASSERT_EQUAL((a & ~b) == 0, hd_lockset_subset(sets, x, y));
        TEST_ASSERT_EQUAL((a & b) == 0, hd_lockset_disjoint(sets, x, y));
        TEST_ASSERT_EQUAL(exclude(a, b), hd_lockset_exclude(sets, x, y));
        TEST_ASSERT_EQUAL_UINT32(of_bits(guards(a, false)), hd_lockset_guards(sets, x, false));
        TEST_ASSERT_EQUAL_UINT32(of_bits(guards(a, true)), hd_lockset_guards(sets, x, true));
        TEST_ASSERT_EQUAL_UINT32(__builtin_popcount(a), hd_lockset_size(sets, x));
        TEST_ASSERT_EQUAL(a >> e & 1, hd_lockset_has(sets, x, e));
        TEST_ASSERT_EQUAL((a >> (e & ~1u) & 3) != 0, hd_lockset_has_lock(sets, x, HD_LOCK_OF(e)));
    }
    hd_arena_free(arena);
}

static void test_all_is_neutral_for_meet_and_never_disjoint_but_from_nothing(void) {
    struct hd_arena *arena = hd_arena_new();
    sets = hd_locksets_new(arena);
    uint32_t x = of_bits(6);
    TEST_ASSERT_EQUAL_UINT32(x, hd_lockset_meet(sets, HD_LOCKSET_ALL, x));
    TEST_ASSERT_EQUAL_UINT32(x, hd_lockset_meet(sets, x, HD_LOCKSET_ALL));
    TEST_ASSERT_EQUAL_UINT32(0, hd_lockset_meet(sets, HD_LOCKSET_ALL, 0));
    TEST_ASSERT_EQUAL_UINT32(HD_LOCKSET_ALL, hd_lockset_meet(sets, HD_LOCKSET_ALL, HD_LOCKSET_ALL));
    TEST_ASSERT_FALSE(hd_lockset_disjoint(sets, HD_LOCKSET_ALL, x));
    TEST_ASSERT_TRUE(hd_lockset_disjoint(sets, HD_LOCKSET_ALL, 0));
    hd_arena_free(arena);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_all_operations_are_those_of_sets);
    RUN_TEST(test_all_is_neutral_for_meet_and_never_disjoint_but_from_nothing);
    return UNITY_END();
}

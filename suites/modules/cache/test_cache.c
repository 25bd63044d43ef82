/* test_cache.c - the cache's unit tests. Built by heddle-cc, each explores its schedules. */
#include "cache.h"
#include "unity.h"
#if __has_include(<heddle_unity.h>)
#include <heddle_unity.h>
#endif

static struct cache cache;
static atomic_int factor; /* the world outside: a key's value is key * factor */

static int load(int key, void *context) { return key * atomic_load((atomic_int *)context); }

void setUp(void) {
    atomic_store(&factor, 10);
    cache_init(&cache, 2, load, &factor);
}
void tearDown(void) { cache_destroy(&cache); }

static void *get(void *key) {
    *(int *)key = cache_get(&cache, *(int *)key);
    return NULL;
}

static void test_a_missing_value_is_loaded(void) {
    TEST_ASSERT_EQUAL_INT(30, cache_get(&cache, 3));
    TEST_ASSERT_EQUAL_size_t(1, cache_count(&cache));
}

static void test_a_value_that_is_there_is_not_loaded_again(void) {
    cache_get(&cache, 3);
    cache_get(&cache, 3);
    TEST_ASSERT_EQUAL_UINT(1, atomic_load(&cache.hits));
    TEST_ASSERT_EQUAL_UINT(1, atomic_load(&cache.misses));
}

static void test_the_least_recently_used_is_evicted(void) {
    int value;
    cache_get(&cache, 1);
    cache_get(&cache, 2);
    cache_get(&cache, 1);
    cache_get(&cache, 3);
    TEST_ASSERT_TRUE(cache_peek(&cache, 1, &value));
    TEST_ASSERT_FALSE(cache_peek(&cache, 2, &value));
}

static void test_an_invalidated_value_is_loaded_anew(void) {
    cache_get(&cache, 3);
    atomic_store(&factor, 100);
    cache_invalidate(&cache, 3);
    TEST_ASSERT_EQUAL_INT(300, cache_get(&cache, 3));
}

static void test_two_threads_get_their_own_keys(void) {
    pthread_t other;
    int a = 1, b = 2;
    pthread_create(&other, NULL, get, &a);
    get(&b);
    pthread_join(other, NULL);
    TEST_ASSERT_EQUAL_INT(10, a);
    TEST_ASSERT_EQUAL_INT(20, b);
    TEST_ASSERT_EQUAL_size_t(2, cache_count(&cache));
}

static void test_after_two_threads_missed_an_invalidation_still_counts(void) {
    pthread_t other;
    int a = 3, b = 3;
    pthread_create(&other, NULL, get, &a);
    get(&b);
    pthread_join(other, NULL);
    TEST_ASSERT_EQUAL_INT(30, a);
    TEST_ASSERT_EQUAL_INT(30, b);
    atomic_store(&factor, 100);
    cache_invalidate(&cache, 3);
    TEST_ASSERT_EQUAL_INT(300, cache_get(&cache, 3));
}

static void test_an_invalidation_during_a_load_is_not_lost(void) {
    pthread_t other;
    int a = 3;
    pthread_create(&other, NULL, get, &a);
    atomic_store(&factor, 100);
    cache_invalidate(&cache, 3);
    pthread_join(other, NULL);
    TEST_ASSERT_EQUAL_INT(300, cache_get(&cache, 3));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_a_missing_value_is_loaded);
    RUN_TEST(test_a_value_that_is_there_is_not_loaded_again);
    RUN_TEST(test_the_least_recently_used_is_evicted);
    RUN_TEST(test_an_invalidated_value_is_loaded_anew);
    RUN_TEST(test_two_threads_get_their_own_keys);
    RUN_TEST(test_after_two_threads_missed_an_invalidation_still_counts);
    RUN_TEST(test_an_invalidation_during_a_load_is_not_lost);
    return UNITY_END();
}

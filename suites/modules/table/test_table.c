/* test_table.c - the table's unit tests. Built by heddle-cc, each explores its schedules. */
#include "table.h"
#include "unity.h"

#include <pthread.h>
#if __has_include(<heddle_unity.h>)
#include <heddle_unity.h>
#endif

static struct table *table;

void setUp(void) { table = table_make(); }
void tearDown(void) { table_free(table); }

static void add_value(struct object *o, void *sum) { *(int *)sum += o->value; }

static void test_an_object_is_found_by_its_key(void) {
    struct object *made = table_create(table, 5, 50, NULL);
    struct object *found = table_acquire(table, 5);
    TEST_ASSERT_EQUAL_PTR(made, found);
    TEST_ASSERT_EQUAL_INT(50, found->value);
    object_release(found);
    object_release(made);
}

static void test_an_object_goes_with_its_last_reference(void) {
    struct object *o = table_create(table, 5, 50, NULL);
    object_hold(o);
    object_release(o);
    TEST_ASSERT_EQUAL_size_t(1, table_each(table, NULL, NULL));
    object_release(o);
    TEST_ASSERT_EQUAL_size_t(0, table_each(table, NULL, NULL));
    TEST_ASSERT_NULL(table_acquire(table, 5));
}

static void test_keys_of_one_bucket_do_not_mix(void) {
    int sum = 0;
    struct object *a = table_create(table, 1, 10, NULL);
    struct object *b = table_create(table, 5, 50, NULL);
    table_each(table, add_value, &sum);
    TEST_ASSERT_EQUAL_INT(60, sum);
    object_release(a);
    TEST_ASSERT_NULL(table_acquire(table, 1));
    object_release(b);
}

struct use {
    bool found;
    bool live;
};

static void *use_object(void *out) {
    struct use *use = out;
    struct object *o = table_acquire(table, 5);
    if (o) {
        use->found = true;
        use->live = o->stamp == OBJECT_LIVE;
        if (use->live) {
            object_release(o);
        }
    }
    return NULL;
}

static void *create_object(void *made) {
    object_release(table_create(table, 5, 50, made));
    return NULL;
}

static void test_a_held_object_serves_two_threads(void) {
    pthread_t other;
    struct use one = {0}, two = {0};
    struct object *o = table_create(table, 5, 50, NULL);
    pthread_create(&other, NULL, use_object, &one);
    use_object(&two);
    pthread_join(other, NULL);
    object_release(o);
    TEST_ASSERT_TRUE(one.found && one.live);
    TEST_ASSERT_TRUE(two.found && two.live);
}

static void test_an_object_is_made_at_least_once(void) {
    pthread_t other;
    bool here = false, there = false;
    pthread_create(&other, NULL, create_object, &there);
    create_object(&here);
    pthread_join(other, NULL);
    TEST_ASSERT_TRUE(here || there);
    TEST_ASSERT_EQUAL_size_t(0, table_each(table, NULL, NULL));
}

static void test_what_is_acquired_during_the_last_release_is_alive(void) {
    pthread_t other;
    struct use use = {0};
    struct object *o = table_create(table, 5, 50, NULL);
    pthread_create(&other, NULL, use_object, &use);
    object_release(o);
    pthread_join(other, NULL);
    TEST_ASSERT_TRUE(!use.found || use.live);
    TEST_ASSERT_EQUAL_size_t(0, table_each(table, NULL, NULL));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_an_object_is_found_by_its_key);
    RUN_TEST(test_an_object_goes_with_its_last_reference);
    RUN_TEST(test_keys_of_one_bucket_do_not_mix);
    RUN_TEST(test_a_held_object_serves_two_threads);
    RUN_TEST(test_an_object_is_made_at_least_once);
    RUN_TEST(test_what_is_acquired_during_the_last_release_is_alive);
    return UNITY_END();
}

/* test_queue.c - the queue's unit tests. Built by heddle-cc, each explores its schedules. */
#include "queue.h"
#include "unity.h"
#if __has_include(<heddle_unity.h>)
#include <heddle_unity.h>
#endif

static struct queue q;

void setUp(void) { queue_init(&q, 2); }
void tearDown(void) { queue_destroy(&q); }

static void *put_one(void *item) {
    queue_put(&q, *(int *)item);
    return NULL;
}

struct got {
    bool some;
    int item;
};

static void *get_one(void *out) {
    struct got *got = out;
    got->some = queue_get(&q, &got->item);
    return NULL;
}

static void *close_it(void *arg) {
    (void)arg;
    queue_close(&q);
    return NULL;
}

static void test_items_come_out_in_the_order_they_went_in(void) {
    int first = 0, second = 0;
    queue_put(&q, 1);
    queue_put(&q, 2);
    TEST_ASSERT_TRUE(queue_get(&q, &first));
    TEST_ASSERT_TRUE(queue_get(&q, &second));
    TEST_ASSERT_EQUAL_INT(1, first);
    TEST_ASSERT_EQUAL_INT(2, second);
}

static void test_a_full_queue_refuses_to_try(void) {
    TEST_ASSERT_TRUE(queue_try_put(&q, 1));
    TEST_ASSERT_TRUE(queue_try_put(&q, 2));
    TEST_ASSERT_FALSE(queue_try_put(&q, 3));
}

static void test_an_empty_queue_refuses_to_try(void) {
    int item;
    TEST_ASSERT_FALSE(queue_try_get(&q, &item));
}

static void test_waiting_for_nothing_ends_when_time_is_up(void) {
    int item;
    TEST_ASSERT_FALSE(queue_get_within(&q, &item, 5));
}

static void test_a_getter_waits_for_an_item(void) {
    pthread_t getter;
    struct got got = {0};
    pthread_create(&getter, NULL, get_one, &got);
    queue_put(&q, 7);
    pthread_join(getter, NULL);
    TEST_ASSERT_TRUE(got.some);
    TEST_ASSERT_EQUAL_INT(7, got.item);
}

static void test_a_putter_waits_for_room(void) {
    pthread_t putter;
    int third = 3, item = 0;
    queue_put(&q, 1);
    queue_put(&q, 2);
    pthread_create(&putter, NULL, put_one, &third);
    queue_get(&q, &item);
    pthread_join(putter, NULL);
    TEST_ASSERT_EQUAL_INT(1, item);
    TEST_ASSERT_EQUAL_size_t(2, queue_count(&q));
}

static void test_two_putters_lose_nothing(void) {
    pthread_t one, two;
    int items[2] = {1, 2}, a = 0, b = 0;
    pthread_create(&one, NULL, put_one, &items[0]);
    pthread_create(&two, NULL, put_one, &items[1]);
    queue_get(&q, &a);
    queue_get(&q, &b);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    TEST_ASSERT_EQUAL_INT(3, a + b);
}

static void test_many_are_taken_in_one_go(void) {
    int items[2] = {0, 0};
    queue_put(&q, 4);
    queue_put(&q, 5);
    TEST_ASSERT_EQUAL_size_t(2, queue_get_many(&q, items, 2));
    TEST_ASSERT_EQUAL_INT(9, items[0] + items[1]);
}

static void test_close_wakes_a_waiting_getter(void) {
    pthread_t getter, closer;
    struct got got = {true, 0};
    pthread_create(&getter, NULL, get_one, &got);
    pthread_create(&closer, NULL, close_it, NULL);
    pthread_join(closer, NULL);
    pthread_join(getter, NULL);
    TEST_ASSERT_FALSE(got.some);
}

static void test_what_is_left_at_closing_time_is_handed_out(void) {
    int item = 0;
    queue_put(&q, 6);
    queue_close(&q);
    TEST_ASSERT_FALSE(queue_put(&q, 7));
    TEST_ASSERT_TRUE(queue_get(&q, &item));
    TEST_ASSERT_EQUAL_INT(6, item);
    TEST_ASSERT_FALSE(queue_get(&q, &item));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_items_come_out_in_the_order_they_went_in);
    RUN_TEST(test_a_full_queue_refuses_to_try);
    RUN_TEST(test_an_empty_queue_refuses_to_try);
    RUN_TEST(test_waiting_for_nothing_ends_when_time_is_up);
    RUN_TEST(test_a_getter_waits_for_an_item);
    RUN_TEST(test_a_putter_waits_for_room);
    RUN_TEST(test_two_putters_lose_nothing);
    RUN_TEST(test_many_are_taken_in_one_go);
    RUN_TEST(test_close_wakes_a_waiting_getter);
    RUN_TEST(test_what_is_left_at_closing_time_is_handed_out);
    return UNITY_END();
}

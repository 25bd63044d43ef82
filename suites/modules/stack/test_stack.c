/* test_stack.c - the stack's unit tests. Built by heddle-cc, each explores its schedules. */
#include "stack.h"
#include "unity.h"

#include <pthread.h>
#if __has_include(<heddle_unity.h>)
#include <heddle_unity.h>
#endif

static struct stack stack;
static int holders[3];

void setUp(void) {
    stack_init(&stack, 3);
    holders[0] = holders[1] = holders[2] = 0;
}
void tearDown(void) {}

static void test_the_last_one_pushed_is_the_first_one_popped(void) {
    uint32_t a, b, c;
    TEST_ASSERT_TRUE(stack_pop(&stack, &a));
    TEST_ASSERT_TRUE(stack_pop(&stack, &b));
    stack_push(&stack, a);
    TEST_ASSERT_TRUE(stack_pop(&stack, &c));
    TEST_ASSERT_EQUAL_UINT32(0, a);
    TEST_ASSERT_EQUAL_UINT32(1, b);
    TEST_ASSERT_EQUAL_UINT32(0, c);
}

static void test_an_empty_stack_gives_nothing(void) {
    uint32_t slots[4];
    TEST_ASSERT_EQUAL_size_t(3, stack_pop_some(&stack, slots, 4));
    TEST_ASSERT_FALSE(stack_pop(&stack, &slots[0]));
}

static void test_several_go_back_at_once(void) {
    uint32_t slots[3];
    stack_pop_some(&stack, slots, 3);
    stack_push_some(&stack, slots, 3);
    TEST_ASSERT_EQUAL_size_t(3, stack_count(&stack));
    TEST_ASSERT_TRUE(stack_is_sound(&stack));
}

/* Counts the holders of every slot: those that a thread kept, and the stack. */
static void count_holders(const int *kept, size_t count) {
    uint32_t slot;
    for (size_t i = 0; i < count; i++) {
        if (kept[i] >= 0) {
            holders[kept[i]]++;
        }
    }
    TEST_ASSERT_TRUE_MESSAGE(stack_is_sound(&stack), "the links form a circle");
    while (stack_pop(&stack, &slot)) {
        holders[slot]++;
    }
    TEST_ASSERT_EQUAL_INT_MESSAGE(1, holders[0], "holders of slot 0");
    TEST_ASSERT_EQUAL_INT_MESSAGE(1, holders[1], "holders of slot 1");
    TEST_ASSERT_EQUAL_INT_MESSAGE(1, holders[2], "holders of slot 2");
}

static void *keep_one(void *kept) {
    uint32_t slot;
    *(int *)kept = stack_pop(&stack, &slot) ? (int)slot : -1;
    return NULL;
}

static void *keep_the_second(void *kept) {
    uint32_t first, second;
    if (stack_pop(&stack, &first)) {
        *(int *)kept = stack_pop(&stack, &second) ? (int)second : -1;
        stack_push(&stack, first);
    }
    return NULL;
}

static void *borrow_one(void *arg) {
    uint32_t slot;
    (void)arg;
    if (stack_pop(&stack, &slot)) {
        stack_push(&stack, slot);
    }
    return NULL;
}

static void test_two_poppers_get_different_slots(void) {
    pthread_t other;
    int kept[2] = {-1, -1};
    pthread_create(&other, NULL, keep_one, &kept[0]);
    keep_one(&kept[1]);
    pthread_join(other, NULL);
    count_holders(kept, 2);
}

static void test_borrowed_slots_come_back(void) {
    pthread_t other;
    pthread_create(&other, NULL, borrow_one, NULL);
    borrow_one(NULL);
    pthread_join(other, NULL);
    count_holders(NULL, 0);
}

static void test_a_slot_that_went_and_came_back_is_noticed(void) {
    pthread_t other;
    int kept[2] = {-1, -1};
    pthread_create(&other, NULL, keep_one, &kept[0]);
    keep_the_second(&kept[1]);
    pthread_join(other, NULL);
    count_holders(kept, 2);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_the_last_one_pushed_is_the_first_one_popped);
    RUN_TEST(test_an_empty_stack_gives_nothing);
    RUN_TEST(test_several_go_back_at_once);
    RUN_TEST(test_two_poppers_get_different_slots);
    RUN_TEST(test_borrowed_slots_come_back);
    RUN_TEST(test_a_slot_that_went_and_came_back_is_noticed);
    return UNITY_END();
}

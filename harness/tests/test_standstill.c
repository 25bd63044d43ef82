/* test_standstill.c - circles among threads that stand still. */
#include "harness/standstill.h"

#include "unity.h"

void setUp(void) {}
void tearDown(void) {}

static const struct hd_circle two = {.locks = {"m", "k"}, .lock_count = 2};
static const struct hd_circle joined = {.locks = {"m"}, .lock_count = 1, .joins = true};

static void test_each_holds_what_the_next_one_wants(void) {
    TEST_ASSERT_EQUAL_INT(HD_STANDING_SO,
                          hd_standstill("thread 0.1 locks mutex k at f (p.c:1), held by thread 0.2 since g (p.c:2); "
                                        "thread 0.2 locks mutex m at g (p.c:3), held by thread 0.1 since f (p.c:4); "
                                        "thread 0 joins thread 0.1 at main (p.c:5)", &two));
}

static void test_waiting_for_all_locks_is_no_circle(void) {
    TEST_ASSERT_EQUAL_INT(HD_STANDING_ELSE,
                          hd_standstill("thread 0.1 locks mutex k at f (p.c:1), held by thread 0.3 since h (p.c:2); "
                                        "thread 0.2 locks mutex m at g (p.c:3), held by thread 0.3 since h (p.c:4); "
                                        "thread 0.3 waits on condition c at h (p.c:5)", &two));
}

static void test_a_join_closes_the_circle(void) {
    TEST_ASSERT_EQUAL_INT(HD_STANDING_SO,
                          hd_standstill("thread 0.1.1 locks mutex m at w (p.c:1), held by thread 0.1 since j (p.c:2); "
                                        "thread 0 joins thread 0.1 at main (p.c:3); "
                                        "thread 0.1 joins thread 0.1.1 at j (p.c:4)", &joined));
}

static void test_a_join_outside_of_the_circle_does_not(void) {
    TEST_ASSERT_EQUAL_INT(HD_STANDING_ELSE,
                          hd_standstill("thread 0.1 locks spinlock m at f (p.c:1), held by thread 0.1 since f (p.c:2); "
                                        "thread 0 joins thread 0.1 at main (p.c:3)", &joined));
}

static void test_one_of_several_readers_is_enough(void) {
    TEST_ASSERT_EQUAL_INT(HD_STANDING_SO,
                          hd_standstill("thread 0.3 locks rwlock m at f (p.c:1), held for reading by thread 0.1 since g "
                                        "(p.c:2), held for reading by thread 0 since main (p.c:3); "
                                        "thread 0 joins thread 0.3 at main (p.c:4)", &joined));
}

static void test_what_is_not_told_is_not_known(void) {
    TEST_ASSERT_EQUAL_INT(HD_STANDING_UNSURE,
                          hd_standstill("thread 0.1 waits on condition c at f (p.c:1); ...", &two));
    TEST_ASSERT_EQUAL_INT(HD_STANDING_UNSURE,
                          hd_standstill("thread 0.1 locks mutex m at f (p.c:1)", &two));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_each_holds_what_the_next_one_wants);
    RUN_TEST(test_waiting_for_all_locks_is_no_circle);
    RUN_TEST(test_a_join_closes_the_circle);
    RUN_TEST(test_a_join_outside_of_the_circle_does_not);
    RUN_TEST(test_one_of_several_readers_is_enough);
    RUN_TEST(test_what_is_not_told_is_not_known);
    return UNITY_END();
}

/* test_standstill.c - circles among threads that stand still. */
#include "harness/standstill.h"

#include "harness/identity.h"

#include "unity.h"

void setUp(void) {}
void tearDown(void) {}

/* What a trace with these events says of a circle of these locks ("mk"), or with a join. */
static enum hd_standing standing(const char *text, const char *locks, bool joins) {
    struct hd_error err = {.text = ""};
    struct hd_trace *trace = hd_trace_parse(text, "test", &err);
    TEST_ASSERT_TRUE_MESSAGE(trace != NULL, err.text);
    struct hd_circle circle = {.joins = joins};
    for (; *locks; locks++) {
        for (uint32_t i = 0; i < hd_trace_syncs(trace); i++) {
            char room[64];
            const char *name = hd_trace_sync_name(trace, i, room, sizeof room);
            if (name[0] == *locks && !name[1]) circle.locks[circle.lock_count++] = hd_identity_lock(trace, i);
        }
    }
    struct hd_standstill *still = hd_standstill_read(trace, &err);
    enum hd_standing found = still ? hd_standstill_has(still, &circle) : HD_STANDING_ELSE;
    hd_standstill_free(still);
    hd_trace_free(trace);
    return found;
}

static void test_each_holds_what_the_next_one_wants(void) {
    static const char trace[] = "T1 acq m\nT2 acq k\nT1 stands k\nT2 stands m\nT0 awaits T1\n";
    TEST_ASSERT_EQUAL_INT(HD_STANDING_SO, standing(trace, "mk", false));
    TEST_ASSERT_EQUAL_INT(HD_STANDING_ELSE, standing(trace, "m", true));
}

static void test_what_was_given_back_is_held_by_nobody(void) {
    TEST_ASSERT_EQUAL_INT(HD_STANDING_ELSE,
                          standing("T1 acq m\nT2 acq k\nT1 rel m\nT1 stands k\nT2 stands m\n", "mk", false));
    TEST_ASSERT_EQUAL_INT(HD_STANDING_SO,
                          standing("T1 acq m\nT1 acq m\nT2 acq k\nT1 rel m\nT1 stands k\nT2 stands m\n", "mk", false));
}

static void test_waiting_for_all_locks_is_no_circle(void) {
    TEST_ASSERT_EQUAL_INT(HD_STANDING_ELSE,
                          standing("T3 acq m\nT3 acq k\nT1 stands k\nT2 stands m\n", "mk", false));
}

static void test_others_may_go_on(void) {
    TEST_ASSERT_EQUAL_INT(HD_STANDING_SO,
                          standing("T1 acq m\nT2 acq k\nT3 acq x\nT3 rel x\nT1 stands k\nT2 stands m\n", "mk", false));
}

static void test_a_join_closes_the_circle(void) {
    TEST_ASSERT_EQUAL_INT(HD_STANDING_SO,
                          standing("T1 acq m\nT0 awaits T1\nT1 awaits T2\nT2 stands m\n", "m", true));
    TEST_ASSERT_EQUAL_INT(HD_STANDING_ELSE,
                          standing("T1 acq m\nT0 awaits T1\nT1 stands m\n", "m", true));
}

static void test_one_who_waits_for_himself_is_a_circle(void) {
    TEST_ASSERT_EQUAL_INT(HD_STANDING_SO, standing("T1 acq m\nT1 stands m\n", "m", false));
}

static void test_one_of_several_readers_is_enough(void) {
    TEST_ASSERT_EQUAL_INT(HD_STANDING_SO,
                          standing("T1 acq m read\nT2 acq m read\nT3 acq k\nT3 stands m\nT2 stands k\n", "mk", false));
}

static void test_a_wait_lets_go_and_comes_back(void) {
    TEST_ASSERT_EQUAL_INT(HD_STANDING_ELSE,
                          standing("T1 acq m\nT2 acq k\nT1 wait c m\nT2 stands m\nT1 stands k\n", "mk", false));
    TEST_ASSERT_EQUAL_INT(HD_STANDING_SO,
                          standing("T1 acq m\nT2 acq k\nT1 wait c m\nT1 wake c m\nT2 stands m\nT1 stands k\n", "mk", false));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_each_holds_what_the_next_one_wants);
    RUN_TEST(test_what_was_given_back_is_held_by_nobody);
    RUN_TEST(test_waiting_for_all_locks_is_no_circle);
    RUN_TEST(test_others_may_go_on);
    RUN_TEST(test_a_join_closes_the_circle);
    RUN_TEST(test_one_who_waits_for_himself_is_a_circle);
    RUN_TEST(test_one_of_several_readers_is_enough);
    RUN_TEST(test_a_wait_lets_go_and_comes_back);
    return UNITY_END();
}

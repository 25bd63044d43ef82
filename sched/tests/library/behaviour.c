/* behaviour.c - a Unity file with a test for everything that can happen to one.
 *
 * Half of them are meant to fail; test_library_unity.sh knows which. */
#include "unity.h"

#include <heddle.h>
#include <heddle_unity.h>

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int dirty, prepared, before_main_ran;
static int *heap_of_main;
static int opened = -1;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int shared;

void setUp(void) { prepared = 1; }
void tearDown(void) { prepared = 0; }

static void *nothing(void *argument) { return argument; }

static void *count(void *argument) {
    (void)argument;
    shared = shared + 1;
    return NULL;
}

static void *assert_one(void *argument) {
    (void)argument;
    TEST_ASSERT_EQUAL_INT_MESSAGE(1, shared, "seen by the other thread");
    return NULL;
}

static void *pass_here(void *argument) {
    (void)argument;
    TEST_PASS();
    return NULL;
}

static void *ignore_here(void *argument) {
    (void)argument;
    TEST_IGNORE_MESSAGE("not today");
    return NULL;
}

static void test_without_threads(void) { TEST_ASSERT_EQUAL_INT(1, prepared); }

static void test_fails_without_threads(void) { TEST_FAIL_MESSAGE("on purpose"); }

static void test_lost_update(void) {
    pthread_t other;
    pthread_create(&other, NULL, count, NULL);
    count(NULL);
    pthread_join(other, NULL);
    TEST_ASSERT_EQUAL_INT(2, shared);
}

static void test_assertion_in_a_second_thread(void) {
    pthread_t other;
    shared = 1;
    pthread_create(&other, NULL, assert_one, NULL);
    shared = 0;
    pthread_join(other, NULL);
}

static void test_leaves_globals_dirty(void) {
    pthread_t other;
    TEST_ASSERT_EQUAL_INT(0, dirty);
    TEST_ASSERT_EQUAL_INT(7, *heap_of_main);
    TEST_ASSERT_NULL(getenv("SET_BY_A_TEST"));
    dirty++;
    *heap_of_main = 8;
    setenv("SET_BY_A_TEST", "1", 1);
    pthread_create(&other, NULL, nothing, NULL);
    pthread_join(other, NULL);
}

static void test_sees_what_main_did(void) {
    pthread_t other;
    char byte = 'x';
    TEST_ASSERT_EQUAL_INT(0, dirty);
    TEST_ASSERT_EQUAL_INT(7, *heap_of_main);
    TEST_ASSERT_EQUAL_INT(1, before_main_ran);
    pthread_create(&other, NULL, nothing, NULL);
    pthread_join(other, NULL);
    TEST_ASSERT_EQUAL_INT(1, write(opened, &byte, 1)); /* a descriptor of main's stays open */
    int own = open("/dev/null", O_WRONLY);
    TEST_ASSERT_TRUE(own >= 0);
}

static void test_ignored(void) { TEST_IGNORE_MESSAGE("later"); }

static void test_ignored_by_a_second_thread(void) {
    pthread_t other;
    pthread_create(&other, NULL, ignore_here, NULL);
    pthread_join(other, NULL);
}

static void test_passed_by_hand(void) {
    TEST_PASS();
    TEST_FAIL();
}

static void test_passed_by_a_second_thread(void) {
    pthread_t other;
    pthread_create(&other, NULL, pass_here, NULL);
    pthread_join(other, NULL);
    TEST_FAIL();
}

static void *write_to_null(void *argument) {
    volatile int *at = shared == 1 ? argument : &shared;
    *at = 1;
    return NULL;
}

static void test_crashes_in_one_order(void) {
    pthread_t other;
    pthread_create(&other, NULL, write_to_null, NULL);
    shared = 1;
    pthread_join(other, NULL);
}

static void *a_then_b(void *argument) {
    (void)argument;
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return NULL;
}

static void test_deadlocks(void) {
    pthread_t other;
    pthread_create(&other, NULL, a_then_b, NULL);
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    pthread_join(other, NULL);
}

static void test_calls_exit(void) { exit(0); }

static void test_aborts(void) { abort(); }

static void test_chooses(void) { TEST_ASSERT_NOT_EQUAL(3, heddle_choose(4)); }

static void test_prints(void) {
    pthread_t other;
    puts("printed by a test");
    fputs("said by a test\n", stderr);
    pthread_create(&other, NULL, nothing, NULL);
    pthread_join(other, NULL);
}

static void test_leaves_a_thread_behind(void) {
    pthread_t other;
    pthread_create(&other, NULL, count, NULL);
}

static void test_after_all_of_that(void) { TEST_ASSERT_EQUAL_INT(0, shared); }

static void test_with_options(void) {
    pthread_t other;
    pthread_create(&other, NULL, count, NULL);
    count(NULL);
    pthread_join(other, NULL);
    TEST_ASSERT_EQUAL_INT(2, shared);
}

int main(void) {
    pthread_t early;
    pthread_create(&early, NULL, count, NULL);
    pthread_join(early, NULL);
    before_main_ran = shared;
    shared = 0;
    heap_of_main = malloc(sizeof *heap_of_main);
    *heap_of_main = 7;
    opened = open("/dev/null", O_WRONLY);
    UNITY_BEGIN();
    RUN_TEST(test_without_threads);
    RUN_TEST(test_fails_without_threads);
    RUN_TEST(test_lost_update);
    RUN_TEST(test_assertion_in_a_second_thread);
    RUN_TEST(test_leaves_globals_dirty);
    RUN_TEST(test_sees_what_main_did);
    RUN_TEST(test_ignored);
    RUN_TEST(test_ignored_by_a_second_thread);
    RUN_TEST(test_passed_by_hand);
    RUN_TEST(test_passed_by_a_second_thread);
    RUN_TEST(test_crashes_in_one_order);
    RUN_TEST(test_deadlocks);
    RUN_TEST(test_calls_exit);
    RUN_TEST(test_aborts);
    RUN_TEST(test_chooses);
    RUN_TEST(test_prints);
    RUN_TEST(test_leaves_a_thread_behind);
    RUN_TEST(test_after_all_of_that);
    HEDDLE_TEST_OPTIONS("executions=1 strategy=round-robin");
    RUN_TEST(test_with_options);
    int rc = UNITY_END();
    pthread_create(&early, NULL, count, NULL); /* and threads go on as before */
    pthread_join(early, NULL);
    printf("after: shared %d, heap %d\n", shared, *heap_of_main);
    return rc;
}

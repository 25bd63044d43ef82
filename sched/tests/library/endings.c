/* endings.c - tests that end in ways that tests should not. */
#include "unity.h"

#include <heddle.h>
#include <heddle_unity.h>

#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *where = "";
static int parameter;
static jmp_buf somewhere;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void setUp(void) {
    if (strcmp(where, "setUp") == 0) TEST_FAIL_MESSAGE("in setUp");
}

void tearDown(void) {
    if (strcmp(where, "tearDown") == 0) TEST_FAIL_MESSAGE("in tearDown");
}

static void *nothing(void *argument) { return argument; }

static void *jump(void *argument) {
    longjmp(somewhere, 1);
    return argument;
}

static void *leave_in_silence(void *argument) {
    _exit(0);
    return argument;
}

static void *fail(void *argument) {
    TEST_FAIL_MESSAGE("late");
    return argument;
}

static void *for_ever(void *argument) {
    for (;;) {
        pthread_mutex_lock(&lock);
        parameter++;
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

static void other(void *(*function)(void *)) {
    pthread_t thread;
    pthread_create(&thread, NULL, function, NULL);
    pthread_join(thread, NULL);
}

static void inner(void *argument) {
    (void)argument;
    other(nothing);
}

static void test_jumps_to_another_thread(void) {
    if (!setjmp(somewhere)) other(jump);
}
static void test_jumps_within_its_thread(void) {
    if (!setjmp(somewhere)) jump(NULL);
}
static void test_is_left_without_a_word(void) { other(leave_in_silence); }
static void test_ends_its_thread(void) { pthread_exit(NULL); }
static void test_does_not_end(void) { other(for_ever); }
static void test_computes_for_ever(void) {
    for (;;) {
    }
}
static int deeper(volatile int depth) {
    volatile char room[4096];
    room[0] = (char)depth;
    return depth ? deeper(depth - 1) + room[0] : 0;
}
static void *without_end(void *argument) {
    deeper(1000000);
    return argument;
}
static void test_has_no_stack_left(void) { other(without_end); }
static void test_explores_inside(void) { TEST_ASSERT_EQUAL_INT(0, heddle_explore(inner, NULL, NULL, NULL)); }
static void test_leaves_a_thread_that_fails(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, fail, NULL);
}
static void test_talks_too_much(void) {
    for (int i = 0; i < 4000; i++) puts("as long as a line of a test that talks too much");
    other(nothing);
}
static void test_with_a_parameter(void) {
    other(nothing);
    TEST_ASSERT_EQUAL_INT(1, parameter);
}
static void test_prepared(void) { other(nothing); }

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_jumps_to_another_thread);
    RUN_TEST(test_jumps_within_its_thread);
    RUN_TEST(test_is_left_without_a_word);
    RUN_TEST(test_ends_its_thread);
    HEDDLE_TEST_OPTIONS("steps=1000");
    RUN_TEST(test_does_not_end);
    HEDDLE_TEST_OPTIONS("watchdog=1 milliseconds=60000");
    RUN_TEST(test_computes_for_ever);
    RUN_TEST(test_has_no_stack_left);
    RUN_TEST(test_explores_inside);
    RUN_TEST(test_leaves_a_thread_that_fails);
    RUN_TEST(test_talks_too_much);
    parameter = 1;
    RUN_TEST(test_with_a_parameter);
    parameter = 2;
    RUN_TEST(test_with_a_parameter);
    where = "setUp";
    RUN_TEST(test_prepared);
    where = "tearDown";
    RUN_TEST(test_prepared);
    return UNITY_END();
}

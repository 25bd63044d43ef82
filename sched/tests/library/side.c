/* side.c - tests that pass every assertion, and what checkers say of them. */
#include "unity.h"

#include <heddle.h>
#include <heddle_unity.h>

#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total, steps[2];

void setUp(void) {}
void tearDown(void) {}

static int look(void) {
    pthread_mutex_lock(&lock);
    int now = total;
    pthread_mutex_unlock(&lock);
    return now;
}

static void put(int now) {
    pthread_mutex_lock(&lock);
    total = now;
    pthread_mutex_unlock(&lock);
}

void deposit(void) { put(look() + 1); }

void safely(void) {
    pthread_mutex_lock(&lock);
    total++;
    pthread_mutex_unlock(&lock);
}

static void *work(void *argument) {
    ((void (*)(void))argument)();
    return NULL;
}

static void twice(void (*function)(void)) {
    pthread_t other;
    pthread_create(&other, NULL, work, (void *)function);
    function();
    pthread_join(other, NULL);
}

/* Says what it has without looking at it. */
static void test_tells_a_lost_update(void) {
    puts("told by the test");
    twice(deposit);
    heddle_observe("total", total);
}

static void test_tells_a_safe_update(void) {
    twice(safely);
    heddle_observe("total", total);
}

/* The same defect, and nobody can tell: not harmful. */
static void test_hides_a_lost_update(void) {
    twice(deposit);
    total = 2;
    heddle_observe("total", total);
}

/* Ignored tests are ignored. */
static void test_ignored(void) {
    twice(deposit);
    heddle_observe("total", total);
    TEST_IGNORE_MESSAGE("later");
}

static void test_without_threads(void) { heddle_observe("total", total); }

/* More schedules than the budget, one outcome. */
static void many(void) {
    for (int i = 0; i < 8; i++) safely();
}

static void test_larger_than_its_budget(void) {
    twice(many);
    TEST_ASSERT_EQUAL_INT(16, total);
}

/* Fails where a checker looks, and hardly ever elsewhere: one schedule is tried here. */
static void slow(void) {
    for (int i = 0; i < 20; i++) steps[0]++;
    deposit();
    for (int i = 0; i < 20; i++) steps[1]++;
}

static void test_fails_where_checkers_look(void) {
    twice(slow);
    TEST_ASSERT_EQUAL_INT(2, total);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_tells_a_lost_update);
    RUN_TEST(test_tells_a_safe_update);
    RUN_TEST(test_hides_a_lost_update);
    RUN_TEST(test_ignored);
    RUN_TEST(test_without_threads);
    RUN_TEST(test_larger_than_its_budget);
    HEDDLE_TEST_OPTIONS("executions=500 strategy=round-robin");
    RUN_TEST(test_fails_where_checkers_look);
    return UNITY_END();
}

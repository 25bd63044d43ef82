/* fixture.c - groups of unity_fixture, explored. */
#include "unity_fixture.h"

#include <heddle.h>
#include <heddle_unity.h>

#include <pthread.h>

TEST_GROUP(counter);

static int counter, ready;

TEST_SETUP(counter) { ready = 1; }
TEST_TEAR_DOWN(counter) { ready = 0; }

static void *count(void *argument) {
    (void)argument;
    counter = counter + 1;
    return NULL;
}

TEST(counter, alone) {
    TEST_ASSERT_EQUAL_INT(1, ready);
    count(NULL);
    TEST_ASSERT_EQUAL_INT(1, counter);
}

TEST(counter, together) {
    pthread_t other;
    pthread_create(&other, NULL, count, NULL);
    count(NULL);
    pthread_join(other, NULL);
    TEST_ASSERT_EQUAL_INT(2, counter);
}

TEST(counter, one_after_the_other) {
    pthread_t other;
    pthread_create(&other, NULL, count, NULL);
    pthread_join(other, NULL);
    count(NULL);
    TEST_ASSERT_EQUAL_INT(2, counter);
}

TEST(counter, told_and_not_looked_at) {
    pthread_t other;
    pthread_create(&other, NULL, count, NULL);
    count(NULL);
    pthread_join(other, NULL);
    heddle_observe("counter", counter);
}

IGNORE_TEST(counter, unwritten) { TEST_FAIL(); }

TEST_GROUP_RUNNER(counter) {
    RUN_TEST_CASE(counter, alone);
    RUN_TEST_CASE(counter, together);
    RUN_TEST_CASE(counter, one_after_the_other);
    RUN_TEST_CASE(counter, told_and_not_looked_at);
    RUN_TEST_CASE(counter, unwritten);
}

static void all(void) { RUN_TEST_GROUP(counter); }

int main(int argc, const char **argv) { return UnityMain(argc, argv, all); }

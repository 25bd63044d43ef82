/* units.c - fifty small unit tests.
 *
 * Each with two threads and more schedules than its 1,000 executions; with -DLONE
 * each without a second thread. */
#include "unity.h"

#if __has_include(<heddle_unity.h>)
#include <heddle_unity.h>
#endif

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

void setUp(void) { total = 0; }
void tearDown(void) {}

static void *add(void *argument) {
    for (int i = 0; i < 8; i++) {
        pthread_mutex_lock(&lock);
        total++;
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

static void check(int wanted) {
#ifdef LONE
    add(NULL);
    add(NULL);
#else
    pthread_t other;
    pthread_create(&other, NULL, add, NULL);
    add(NULL);
    pthread_join(other, NULL);
#endif
    TEST_ASSERT_EQUAL_INT(wanted, total);
}

#define TEN(X, d) X(d, 0) X(d, 1) X(d, 2) X(d, 3) X(d, 4) X(d, 5) X(d, 6) X(d, 7) X(d, 8) X(d, 9)
#define FIFTY(X) TEN(X, 0) TEN(X, 1) TEN(X, 2) TEN(X, 3) TEN(X, 4)

#define DEFINE(d, u) static void test_##d##u(void) { check(16); }
FIFTY(DEFINE)

int main(void) {
    UNITY_BEGIN();
#define RUN(d, u) RUN_TEST(test_##d##u);
    FIFTY(RUN)
    return UNITY_END();
}

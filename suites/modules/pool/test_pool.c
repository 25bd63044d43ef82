/* test_pool.c - the pool's unit tests. Built by heddle-cc, each explores its schedules. */
#include "pool.h"
#include "unity.h"

#include <pthread.h>
#if __has_include(<heddle_unity.h>)
#include <heddle_unity.h>
#endif

static struct pool *pool;

void setUp(void) { pool = pool_start(1); }
void tearDown(void) { pool_free(pool); }

static void *doubled(void *number) {
    *(int *)number *= 2;
    return number;
}

static void *nested(void *number) {
    struct future *f = pool_submit(pool, doubled, number);
    return f; /* the caller waits: a worker that waits for its own pool stands still */
}

static void test_a_future_gives_the_result_of_its_job(void) {
    int number = 21;
    struct future *f = pool_submit(pool, doubled, &number);
    int *result = future_wait(f);
    TEST_ASSERT_EQUAL_INT(42, *result);
    pool_shutdown(pool);
}

static void test_jobs_of_one_worker_run_in_order(void) {
    int number = 1;
    struct future *first = pool_submit(pool, doubled, &number);
    struct future *second = pool_submit(pool, doubled, &number);
    future_wait(second);
    TEST_ASSERT_TRUE(future_is_done(first));
    future_wait(first);
    TEST_ASSERT_EQUAL_INT(4, number);
    pool_shutdown(pool);
}

static void test_a_job_may_submit_another(void) {
    int number = 5;
    struct future *inner = future_wait(pool_submit(pool, nested, &number));
    future_wait(inner);
    TEST_ASSERT_EQUAL_INT(10, number);
    pool_shutdown(pool);
}

static void test_shutdown_finishes_what_was_accepted(void) {
    int number = 3;
    struct future *f = pool_submit(pool, doubled, &number);
    pool_shutdown(pool);
    TEST_ASSERT_EQUAL_size_t(0, pool_backlog(pool));
    TEST_ASSERT_TRUE(future_is_done(f));
    future_wait(f);
    TEST_ASSERT_EQUAL_INT(6, number);
}

static void test_after_shutdown_jobs_are_refused(void) {
    int number = 3;
    pool_shutdown(pool);
    TEST_ASSERT_NULL(pool_submit(pool, doubled, &number));
}

static void *submit_and_wait(void *number) {
    struct future *f = pool_submit(pool, doubled, number);
    if (f) {
        future_wait(f);
    }
    return f;
}

static void test_a_submit_during_shutdown_is_refused_or_done(void) {
    pthread_t submitter;
    int number = 4;
    void *accepted = NULL;
    pthread_create(&submitter, NULL, submit_and_wait, &number);
    pool_shutdown(pool);
    pthread_join(submitter, &accepted);
    TEST_ASSERT_EQUAL_INT(accepted ? 8 : 4, number);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_a_future_gives_the_result_of_its_job);
    RUN_TEST(test_jobs_of_one_worker_run_in_order);
    RUN_TEST(test_a_job_may_submit_another);
    RUN_TEST(test_shutdown_finishes_what_was_accepted);
    RUN_TEST(test_after_shutdown_jobs_are_refused);
    RUN_TEST(test_a_submit_during_shutdown_is_refused_or_done);
    return UNITY_END();
}

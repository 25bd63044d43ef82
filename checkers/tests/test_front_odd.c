/* test_front_odd.c - traces that make no sense: said, left out, gone on from. */
#include "checkers/front.h"
#include "checkers/tests/cut.h"

#include "unity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

#define NOTES(part, trace)                                                               \
    do {                                                                                 \
        hd_cut("regions", trace);                                                           \
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(hd_cut_noted, part), hd_cut_noted);                        \
    } while (0)

static void test_a_release_without_acquire_is_noted_and_left_out(void) {
    CUT("1rd*", "regions", "1 rel m\n1 rd x\n");
    TEST_ASSERT_NOT_NULL(strstr(hd_cut_noted, "releases lock m, which it does not hold"));
}

static void test_an_end_without_begin(void) { NOTES("end without a begin", "1 end\n1 rd x\n"); }

static void test_a_lock_that_two_threads_hold(void) {
    NOTES("is taken by thread 2 while thread 1 holds it", "1 acq m\n2 acq m\n");
}

static void test_a_thread_that_runs_before_it_is_started(void) {
    NOTES("ran before it was started", "2 rd x\n1 fork 2\n");
}

static void test_a_thread_that_runs_after_its_stop(void) {
    NOTES("goes on after its stop", "1 stop\n1 rd x\n");
}

static void test_a_thread_that_runs_after_it_was_joined(void) {
    NOTES("goes on after it was joined", "1 fork 2\n2 rd x\n1 join 2\n2 rd x\n");
}

static void test_a_thread_that_joins_itself(void) { NOTES("joins itself", "1 join 1\n1 rd x\n"); }

static void test_a_barrier_that_is_left_without_having_come(void) {
    NOTES("leaves a barrier it is not in", "1 bleave b 1\n1 rd x\n");
}

static void test_a_barrier_that_is_not_left(void) {
    NOTES("goes on without leaving its barrier", "1 barr b 1\n1 rd x\n");
}

static void test_a_wake_without_wait(void) { NOTES("without having waited", "1 wake c m\n1 rel m\n"); }

static void test_a_wait_without_the_lock(void) {
    NOTES("waits with a lock that it does not hold", "1 wait c m\n1 wake c m\n1 rel m\n");
}

static void test_a_return_from_nowhere(void) { NOTES("did not enter", "1 exit f\n1 rd x\n"); }

static void test_a_jump_out_of_several_functions(void) {
    CUT("1[f 1rd 1] 1wr*", "functions", "1 enter f\n1 enter g\n1 enter h\n1 rd x\n1 exit f\n1 wr x\n");
}

static void test_a_stop_with_a_lock_held(void) { NOTES("stops while it holds lock m", "1 acq m\n1 stop\n"); }

static void test_an_object_touched_by_a_stranger_was_shared_all_along(void) {
    NOTES("counted as shared from the start",
          "1 alloc y\n1 escape y\n1 alloc x\n1 wr x\n2 rd x\n");
}

static void test_a_freed_object(void) { NOTES("x is accessed after it was freed", "1 alloc x\n1 free x\n1 rd x\n"); }

/* Any mixture of events: nothing to say about the result but that there is one. */
static void test_a_join_of_nobody(void) {
    NOTES("thread 7 is joined and never appears", "1 join 7\n1 rd x\n");
    hd_cut("regions", "1 fork 7\n1 join 7\n1 rd x\n");
    TEST_ASSERT_EQUAL_STRING("", hd_cut_noted);
}

static void test_a_thread_that_is_joined_twice(void) {
    NOTES("thread 2 is joined twice", "1 fork 2\n2 rd x\n1 join 2\n1 join 2\n");
}

static void test_a_thread_that_nobody_started(void) {
    NOTES("thread 3 was started by nobody", "1 fork 2\n2 rd x\n3 rd x\n");
    hd_cut("regions", "1 rd x\n2 rd x\n3 rd x\n"); /* none is: all run from the start */
    TEST_ASSERT_EQUAL_STRING("", hd_cut_noted);
}

static void test_a_thread_that_begins_twice(void) {
    NOTES("thread 1 begins after it has begun", "1 start\n1 rd x\n1 start\n");
}

static void test_a_semaphore_that_is_taken_without_having_been_posted(void) {
    NOTES("semaphore s is taken more often than it was posted", "1 P s\n1 rd x\n");
    NOTES("semaphore s is taken more often", "1 V s\n1 P s\n2 P s\n");
    hd_cut("regions", "1 V s\n1 V s\n1 P s\n2 P s\n");
    TEST_ASSERT_EQUAL_STRING("", hd_cut_noted);
}

static void test_a_barrier_that_is_come_to_after_it_was_left(void) {
    NOTES("thread 2 comes to barrier b after another has left it",
          "1 barr b 1\n1 bleave b 1\n2 barr b 1\n2 bleave b 1\n");
    hd_cut("regions", "1 barr b 1\n2 barr b 1\n1 bleave b 1\n1 barr b 2\n2 bleave b 1\n");
    TEST_ASSERT_EQUAL_STRING("", hd_cut_noted);
}

static void test_a_thread_that_goes_on_while_it_waits(void) {
    NOTES("goes on without waking up", "1 acq m\n1 wait c m\n1 rd x\n");
    NOTES("goes on without waking up", "1 acq m\n1 wait c m\n1 wait c m\n");
}

static void test_a_wake_from_another_wait(void) {
    NOTES("wakes from another wait", "1 acq m\n1 wait c m\n1 wake d m\n1 rel m\n");
}

static void test_readers_and_a_writer_at_once(void) {
    NOTES("taken by thread 2 while another holds it for reading",
          "1 acq m read\n2 acq m\n2 rel m\n1 rel m\n");
    NOTES("taken by thread 2 while thread 1 holds it",
          "1 acq m\n2 acq m read\n2 rel m\n1 rel m\n");
    NOTES("for writing while it holds it for reading",
          "1 acq m read\n1 acq m\n1 rel m\n1 rel m\n");
    hd_cut("regions", "1 acq m read\n2 acq m read\n2 rel m\n1 rel m\n2 acq m\n2 rel m\n");
    TEST_ASSERT_EQUAL_STRING("", hd_cut_noted);
}

static void test_an_object_freed_twice(void) {
    NOTES("freed twice, by thread 2", "1 alloc x\n1 wr x\n1 free x\n2 free x\n");
}

static void test_a_memory_transaction_without_beginning(void) {
    NOTES("ends a memory transaction that it did not begin", "1 txe\n1 rd x\n");
}

static void test_no_mixture_of_events_stops_it(void) {
    static const char *const policies[] = {"default", "annotated", "functions", "regions"};
    uint64_t seed = 5;
    for (int n = 0; n < (getenv("SOAK") ? 200000 : 4000); n++) {
        char text[4096];
        hd_cut_mix(&seed, 60, text, sizeof text);
        TEST_ASSERT_LESS_THAN(1 << 14, strlen(hd_cut(policies[n % 4], text)));
    }
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_a_release_without_acquire_is_noted_and_left_out);
    RUN_TEST(test_an_end_without_begin);
    RUN_TEST(test_a_lock_that_two_threads_hold);
    RUN_TEST(test_a_thread_that_runs_before_it_is_started);
    RUN_TEST(test_a_thread_that_runs_after_its_stop);
    RUN_TEST(test_a_thread_that_runs_after_it_was_joined);
    RUN_TEST(test_a_thread_that_joins_itself);
    RUN_TEST(test_a_barrier_that_is_left_without_having_come);
    RUN_TEST(test_a_barrier_that_is_not_left);
    RUN_TEST(test_a_wake_without_wait);
    RUN_TEST(test_a_wait_without_the_lock);
    RUN_TEST(test_a_return_from_nowhere);
    RUN_TEST(test_a_jump_out_of_several_functions);
    RUN_TEST(test_a_stop_with_a_lock_held);
    RUN_TEST(test_an_object_touched_by_a_stranger_was_shared_all_along);
    RUN_TEST(test_a_freed_object);
    RUN_TEST(test_a_join_of_nobody);
    RUN_TEST(test_a_thread_that_is_joined_twice);
    RUN_TEST(test_a_thread_that_nobody_started);
    RUN_TEST(test_a_thread_that_begins_twice);
    RUN_TEST(test_a_semaphore_that_is_taken_without_having_been_posted);
    RUN_TEST(test_a_barrier_that_is_come_to_after_it_was_left);
    RUN_TEST(test_a_thread_that_goes_on_while_it_waits);
    RUN_TEST(test_a_wake_from_another_wait);
    RUN_TEST(test_readers_and_a_writer_at_once);
    RUN_TEST(test_an_object_freed_twice);
    RUN_TEST(test_a_memory_transaction_without_beginning);
    RUN_TEST(test_no_mixture_of_events_stops_it);
    return UNITY_END();
}

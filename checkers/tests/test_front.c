/* test_front.c - transactions by policy. */
#include "checkers/tests/cut.h"
#include "checkers/transaction.h"

#include "unity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void setUp(void) {}
void tearDown(void) {}

/* ---- transactions ----------------------------------------------------------- */

static void test_only_the_outermost_region_counts(void) {
    CUT("1[a 1rd 1wr 1]", "annotated", "1 begin a\n1 rd x\n1 begin b\n1 wr x\n1 end\n1 end\n");
}

static void test_what_is_outside_is_by_itself(void) {
    CUT("1rd* 1[a 1wr 1] 1rd*", "annotated", "1 rd x\n1 begin a\n1 wr x\n1 end\n1 rd x\n");
}

static void test_start_join_and_barrier_cut_and_the_name_stays(void) {
    CUT("1[a 1rd 1] 1[a 1wr 1]", "annotated", "1 begin a\n1 rd x\n1 fork 2\n1 wr x\n1 end\n");
    CUT("1[a 1rd 1] 1[a 1wr 1]", "annotated",
        "1 begin a\n1 rd x\n1 barr b 1\n1 bleave b 1\n1 wr x\n1 end\n");
    CUT("2rd* 1[a 1wr 1]", "annotated", "1 fork 2\n2 rd x\n1 begin a\n1 join 2\n1 wr x\n1 end\n");
}

static void test_there_are_no_empty_transactions(void) {
    CUT("", "annotated", "1 begin a\n1 fork 2\n1 end\n");
}

static void test_an_outermost_lock_region_is_one(void) {
    CUT("1[region of m 1acq 1rd 1acq 1rel 1wr 1rel 1] 1rd*", "regions",
        "1 acq m\n1 rd x\n1 acq n\n1 rel n\n1 wr x\n1 rel m\n1 rd x\n");
}

static void test_hand_over_hand_is_one_region(void) {
    CUT("1[region of m 1acq 1acq 1rel 1rd 1rel 1]", "regions",
        "1 acq m\n1 acq n\n1 rel m\n1 rd x\n1 rel n\n");
}

static void test_lock_regions_do_not_count_when_only_annotations_do(void) {
    CUT("1acq* 1rd* 1rel*", "annotated", "1 acq m\n1 rd x\n1 rel m\n");
}

static void test_nothing_counts_with_none(void) {
    CUT("1acq* 1rd* 1rel*", "none", "1 begin a\n1 acq m\n1 rd x\n1 rel m\n1 end\n");
}

static void test_a_memory_transaction_is_a_region(void) {
    CUT("1[move 1txb 1rd 1txb' 1wr 1txe' 1txe 1]", "regions",
        "1 txb move\n1 rd x\n1 txb inner\n1 wr x\n1 txe\n1 txe\n");
}

static void test_a_function_is_one_and_the_outermost_counts(void) {
    CUT("1[f 1rd 1wr 1] 1[g 1rd 1]", "functions",
        "1 enter f\n1 rd x\n1 enter g\n1 wr x\n1 exit g\n1 exit f\n1 enter g\n1 rd x\n1 exit g\n");
}

static void test_main_and_thread_entries_are_none(void) {
    CUT("0rd* 1rd* 1[f 1wr 1]", "functions",
        "0 enter main\n0 rd x\n0 fork 1\n1 start\n1 enter work\n1 rd x\n1 enter f\n1 wr x\n"
        "1 exit f\n1 exit work\n1 stop\n0 exit main\n");
}

static void test_a_forked_thread_that_goes_on_after_its_first_function_did_not_enter_by_it(void) {
    CUT("1[f 1rd 1] 1[f 1wr 1]", "functions",
        "0 fork 1\n1 enter f\n1 rd x\n1 exit f\n1 enter f\n1 wr x\n1 exit f\n");
}

static void test_a_static_function_is_none(void) {
    CUT("1rd*", "functions", "%label f static\n1 enter f\n1 rd x\n1 exit f\n");
}

static void test_a_function_that_outputs_yields_to_its_callees(void) {
    CUT("1rd* 1output* 1[g 1wr 1]", "default",
        "1 enter f\n1 rd x\n1 output out 3\n1 enter g\n1 wr x\n1 exit g\n1 exit f\n");
}

static void test_one_call_that_stops_is_enough_for_all_calls(void) {
    CUT("1rd* 1wr*", "default",
        "1 enter f\n1 rd x\n1 exit f\n1 enter f\n1 wr x\n1 sleep\n1 exit f\n");
}

static void test_four_lock_regions_are_small_and_five_are_not(void) {
    char text[1024] = "1 enter f\n";
    for (int i = 0; i < 4; i++) strcat(text, "1 acq m\n1 rel m\n");
    char more[1024];
    snprintf(more, sizeof more, "%s1 acq m\n1 rel m\n1 exit f\n", text);
    strcat(text, "1 exit f\n");
    CUT("1[f 1acq 1rel 1acq 1rel 1acq 1rel 1acq 1rel 1]", "default", text);
    CUT("1[f 1acq 1rel 1] 1[f 1acq 1rel 1] 1[f 1acq 1rel 1] 1[f 1acq 1rel 1] 1[f 1acq 1rel 1]",
        "default", more);
}

static void test_regions_of_callees_count_too(void) {
    CUT("1[g 1acq 1rel 1acq 1rel 1acq 1rel 1] 1[g 1acq 1rel 1acq 1rel 1acq 1rel 1]", "default",
        "1 enter f\n"
        "1 enter g\n1 acq m\n1 rel m\n1 acq m\n1 rel m\n1 acq m\n1 rel m\n1 exit g\n"
        "1 enter g\n1 acq m\n1 rel m\n1 acq m\n1 rel m\n1 acq m\n1 rel m\n1 exit g\n"
        "1 exit f\n");
}

static void test_a_wait_splits_under_every_policy(void) {
    const char *text = "1 begin a\n1 acq m\n1 rd x\n1 wait c m\n1 wake c m\n1 wr x\n1 rel m\n1 end\n";
    const char *split = "1[a 1acq 1rd 1wait 1] 1[a 1wake 1wr 1rel 1]";
    CUT(split, "default", text);
    CUT(split, "annotated", text);
    CUT(split, "functions", text);
    CUT(split, "regions", text);
}

static void test_a_wait_splits_a_function_and_a_lock_region(void) {
    const char *text = "1 enter f\n1 acq m\n1 acq n\n1 wait c n\n1 wake c n\n1 rel n\n1 rel m\n"
                       "1 exit f\n";
    CUT("1[f 1acq 1acq 1wait 1] 1[f 1wake 1rel 1rel 1]", "functions", text);
    CUT("1[f 1acq 1acq 1wait 1] 1[f 1wake 1rel 1rel 1]", "regions", text);
    CUT("1[f 1acq 1acq 1wait 1] 1[f 1wake 1rel 1rel 1]", "default", text);
}

/* ---- one inside of another, and one that outlasts another ------------------------- */

static void test_a_region_inside_a_lock_region_is_a_part_of_it(void) {
    const char *text = "1 acq m\n1 rd x\n1 begin a\n1 wr x\n1 end\n1 rd x\n1 rel m\n";
    CUT("1[region of m 1acq 1rd 1wr 1rd 1rel 1]", "regions", text);
    CUT("1[region of m 1acq 1rd 1wr 1rd 1rel 1]", "default", text);
    CUT("1acq* 1rd* 1[a 1wr 1] 1rd* 1rel*", "annotated", text);
}

static void test_a_region_that_outlasts_a_lock_region_is_in_one_piece(void) {
    const char *text = "1 acq m\n1 wr x\n1 begin a\n1 rd x\n1 rel m\n1 rd y\n1 end\n";
    CUT("1[region of m 1acq 1wr 1] 1[a 1rd 1rel 1rd 1]", "regions", text);
    CUT("1[region of m 1acq 1wr 1] 1[a 1rd 1rel 1rd 1]", "functions", text);
    CUT("1[region of m 1acq 1wr 1] 1[a 1rd 1rel 1rd 1]", "default", text);
    CUT("1[region of m 1acq 1wr 1] 1[an unnamed region 1rd 1rel 1rd 1]", "regions",
        "1 acq m\n1 wr x\n1 begin\n1 rd x\n1 rel m\n1 rd y\n1 end\n");
}

static void test_a_region_the_trace_ends_in_outlasts_as_well(void) {
    CUT("1[region of m 1acq 1] 1[a 1rd 1rel 1rd 1...]", "regions",
        "1 acq m\n1 begin a\n1 rd x\n1 rel m\n1 rd y\n");
}

static void test_a_region_with_nothing_on_one_side_cuts_nothing(void) {
    CUT("1[region of m 1acq 1rd 1rel 1] 1[a 1rd 1]", "regions",
        "1 acq m\n1 rd x\n1 begin a\n1 rel m\n1 rd y\n1 end\n");
    CUT("1[region of m 1acq 1rd 1rel 1]", "regions",
        "1 acq m\n1 begin a\n1 rd x\n1 rel m\n1 end\n");
}

static void test_after_a_region_the_lock_region_around_it_goes_on(void) {
    CUT("1[region of m 1acq 1] 1[a 1rd 1rel 1rd 1] "
        "1[region of m 1acq 1] 1[a 1rd 1] 1[region of m 1wr 1rel 1]",
        "regions",
        "1 acq m\n1 begin a\n1 rd x\n1 rel m\n1 rd x\n1 end\n"
        "1 acq m\n1 begin a\n1 rd x\n1 end\n1 wr x\n1 rel m\n");
}

static void test_a_region_inside_a_function_is_a_part_of_it(void) {
    const char *text = "1 enter f\n1 rd x\n1 begin a\n1 wr x\n1 end\n1 rd x\n1 exit f\n";
    CUT("1[f 1rd 1wr 1rd 1]", "default", text);
    CUT("1[f 1rd 1wr 1rd 1]", "functions", text);
    CUT("1rd* 1[a 1wr 1] 1rd*", "regions", text);
}

static void test_a_region_that_outlasts_a_function_is_in_one_piece(void) {
    CUT("1[f 1wr 1] 1[a 1rd 1rd 1]", "default",
        "1 enter f\n1 wr x\n1 begin a\n1 rd x\n1 exit f\n1 rd y\n1 end\n");
}

static void test_a_function_inside_a_lock_region_is_a_part_of_it(void) {
    CUT("1[region of m 1acq 1rd 1wr 1rd 1rel 1]", "functions",
        "1 acq m\n1 rd x\n1 enter f\n1 wr x\n1 exit f\n1 rd x\n1 rel m\n");
    CUT("1[region of m 1acq 1rd 1rel 1]", "default", /* the function only lets go of it */
        "1 acq m\n1 rd x\n1 enter f\n1 rel m\n1 exit f\n");
}

static void test_a_function_that_outlasts_a_lock_region_is_in_one_piece(void) {
    const char *text = "1 acq m\n1 wr x\n1 enter f\n1 rd x\n1 rel m\n1 rd y\n1 exit f\n";
    CUT("1[region of m 1acq 1wr 1] 1[f 1rd 1rel 1rd 1]", "default", text);
    CUT("1[region of m 1acq 1wr 1] 1[f 1rd 1rel 1rd 1]", "functions", text);
    CUT("1[region of m 1acq 1wr 1rd 1rel 1] 1rd*", "regions", text);
}

static void test_the_rest_of_a_function_counts_after_a_lock_region(void) {
    CUT("1[region of m 1acq 1wr 1rel 1] 1[f 1rd 1rd 1]", "default",
        "1 acq m\n1 wr x\n1 enter f\n1 rel m\n1 rd x\n1 rd y\n1 exit f\n");
}

static void test_a_lock_taken_by_a_callee_makes_a_lock_region_of_its_caller(void) {
    const char *text = "1 enter main\n1 enter lock\n1 acq m\n1 exit lock\n1 rd x\n1 wr x\n"
                       "1 enter unlock\n1 rel m\n1 exit unlock\n1 rd y\n1 exit main\n";
    CUT("1[lock 1acq 1] 1[main 1rd 1wr 1rel 1] 1rd*", "default", text);
    CUT("1[lock 1acq 1rd 1wr 1rel 1] 1rd*", "regions", text);
}

static void test_a_lock_region_that_outlasts_an_annotated_one(void) {
    CUT("1[a 1rd 1acq 1] 1[region of m 1wr 1rel 1]", "regions",
        "1 begin a\n1 rd x\n1 acq m\n1 end\n1 wr x\n1 rel m\n");
}

static void test_a_function_that_outlasts_an_annotated_region(void) {
    CUT("1[a 1rd 1wr 1] 1[f 1rd 1]", "functions",
        "1 begin a\n1 rd x\n1 enter f\n1 wr x\n1 end\n1 rd x\n1 exit f\n");
}

static void test_a_memory_transaction_that_outlasts_a_function_keeps_its_name(void) {
    CUT("1[f 1rd 1txb 1] 1[t 1wr 1txe 1]", "functions",
        "1 enter f\n1 rd x\n1 txb t\n1 exit f\n1 wr x\n1 txe\n");
}

static void test_a_file_names_what_is_one_and_what_is_not(void) {
    char path[] = "/tmp/heddle-policy-XXXXXX", argument[64];
    int fd = mkstemp(path);
    TEST_ASSERT_GREATER_OR_EQUAL_INT(0, fd);
    const char *names = "# ours\nfunction f\nnot g\n";
    TEST_ASSERT_EQUAL_INT(strlen(names), write(fd, names, strlen(names)));
    close(fd);
    snprintf(argument, sizeof argument, "@%s", path);
    CUT("1[f 1rd 1] 1wr* 1acq* 1rel* 1[h 1rd 1]", argument,
        "1 enter f\n1 rd x\n1 sleep\n1 exit f\n1 enter g\n1 wr x\n1 acq m\n1 rel m\n1 exit g\n"
        "1 enter h\n1 rd x\n1 exit h\n");
    unlink(path);
}

static void test_a_policy_that_does_not_exist_is_refused_with_those_that_do(void) {
    struct hd_arena *arena = hd_arena_new();
    struct hd_policy policy;
    struct hd_error err = {.text = ""};
    TEST_ASSERT_EQUAL_INT(-1, hd_policy_parse(arena, "method", &policy, &err));
    TEST_ASSERT_NOT_NULL(strstr(err.text, "functions"));
    err.text[0] = '\0';
    TEST_ASSERT_EQUAL_INT(-1, hd_policy_parse(arena, "@/nowhere/at/all", &policy, &err));
    TEST_ASSERT_NOT_NULL(strstr(err.text, "/nowhere/at/all"));
    hd_arena_free(arena);
}

static void test_a_deterministic_region_says_so(void) {
    CUT("1[a! 1rd 1]", "annotated", "1 begin a deterministic\n1 rd x\n1 end\n");
}

static void test_a_region_that_the_trace_ends_in_is_closed_as_incomplete(void) {
    CUT("1[a 1rd 1...]", "annotated", "1 begin a\n1 rd x\n");
    TEST_ASSERT_NOT_NULL(strstr(hd_cut_noted, "ends inside of a region"));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_only_the_outermost_region_counts);
    RUN_TEST(test_what_is_outside_is_by_itself);
    RUN_TEST(test_start_join_and_barrier_cut_and_the_name_stays);
    RUN_TEST(test_there_are_no_empty_transactions);
    RUN_TEST(test_an_outermost_lock_region_is_one);
    RUN_TEST(test_hand_over_hand_is_one_region);
    RUN_TEST(test_lock_regions_do_not_count_when_only_annotations_do);
    RUN_TEST(test_nothing_counts_with_none);
    RUN_TEST(test_a_memory_transaction_is_a_region);
    RUN_TEST(test_a_function_is_one_and_the_outermost_counts);
    RUN_TEST(test_main_and_thread_entries_are_none);
    RUN_TEST(test_a_forked_thread_that_goes_on_after_its_first_function_did_not_enter_by_it);
    RUN_TEST(test_a_static_function_is_none);
    RUN_TEST(test_a_function_that_outputs_yields_to_its_callees);
    RUN_TEST(test_one_call_that_stops_is_enough_for_all_calls);
    RUN_TEST(test_four_lock_regions_are_small_and_five_are_not);
    RUN_TEST(test_regions_of_callees_count_too);
    RUN_TEST(test_a_wait_splits_under_every_policy);
    RUN_TEST(test_a_wait_splits_a_function_and_a_lock_region);
    RUN_TEST(test_a_region_inside_a_lock_region_is_a_part_of_it);
    RUN_TEST(test_a_region_that_outlasts_a_lock_region_is_in_one_piece);
    RUN_TEST(test_a_region_the_trace_ends_in_outlasts_as_well);
    RUN_TEST(test_a_region_with_nothing_on_one_side_cuts_nothing);
    RUN_TEST(test_after_a_region_the_lock_region_around_it_goes_on);
    RUN_TEST(test_a_region_inside_a_function_is_a_part_of_it);
    RUN_TEST(test_a_region_that_outlasts_a_function_is_in_one_piece);
    RUN_TEST(test_a_function_inside_a_lock_region_is_a_part_of_it);
    RUN_TEST(test_a_function_that_outlasts_a_lock_region_is_in_one_piece);
    RUN_TEST(test_the_rest_of_a_function_counts_after_a_lock_region);
    RUN_TEST(test_a_lock_taken_by_a_callee_makes_a_lock_region_of_its_caller);
    RUN_TEST(test_a_lock_region_that_outlasts_an_annotated_one);
    RUN_TEST(test_a_function_that_outlasts_an_annotated_region);
    RUN_TEST(test_a_memory_transaction_that_outlasts_a_function_keeps_its_name);
    RUN_TEST(test_a_file_names_what_is_one_and_what_is_not);
    RUN_TEST(test_a_policy_that_does_not_exist_is_refused_with_those_that_do);
    RUN_TEST(test_a_deterministic_region_says_so);
    RUN_TEST(test_a_region_that_the_trace_ends_in_is_closed_as_incomplete);
    return UNITY_END();
}

/* test_front.c - transactions by policy, and traces that make no sense.
 *
 * A checker that only writes down what it is shown stands in for the real ones:
 * the steps of a text trace, a line each. */
#include "checkers/front.h"
#include "checkers/transaction.h"
#include "checkers/warning.h"

#include "unity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void setUp(void) {}
void tearDown(void) {}

static char shown[1 << 14], noted[1 << 13];

static void say(char *to, size_t size, const char *text) {
    size_t at = strlen(to);
    snprintf(to + at, size - at, "%s", text);
}

static void show(const struct hd_front *front, const struct hd_trace *trace,
                 const struct hd_step *steps, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const struct hd_step *s = &steps[i];
        char line[256], name[64];
        const char *thread = hd_trace_thread(trace, s->thread);
        if (s->kind == HD_STEP_OPEN) {
            snprintf(line, sizeof line, "%s[%s%s ", thread,
                     hd_front_region_name(front, s->region, name, sizeof name),
                     s->marks & HD_MARK_DETERMINISTIC ? "!" : "");
        } else if (s->kind == HD_STEP_CLOSE) {
            snprintf(line, sizeof line, "%s%s] ", thread,
                     s->marks & HD_MARK_INCOMPLETE ? "..." : "");
        } else if (s->txn != HD_NO_ID) {
            snprintf(line, sizeof line, "%s%s%s ", thread, hd_kind_word(s->kind),
                     s->marks & HD_MARK_UNARY       ? "*"
                     : s->marks & HD_MARK_REENTRANT ? "'"
                                                    : "");
        } else {
            continue;
        }
        say(shown, sizeof shown, line);
    }
}

/* The steps that belong to transactions: "1[f 1rd 1wr 1]" for thread 1 in f;
 * a star for an event by itself. */
static const char *cut(const char *policy_text, const char *text) {
    struct hd_error err = {.text = ""};
    struct hd_trace *trace = hd_trace_parse(text, "test", &err);
    TEST_ASSERT_NOT_NULL_MESSAGE(trace, err.text);
    struct hd_arena *arena = hd_arena_new();
    struct hd_policy policy;
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, hd_policy_parse(arena, policy_text, &policy, &err), err.text);
    struct hd_notes *notes = hd_notes_new(arena);
    struct hd_front *front =
        hd_front_new(arena, trace, &policy, notes,
                     HD_NEED_TRANSACTIONS | HD_NEED_ESCAPE | HD_NEED_PERIODS);
    const struct hd_event *events;
    const struct hd_step *steps;
    size_t count, made;
    shown[0] = noted[0] = '\0';
    TEST_ASSERT_TRUE(hd_front_wants_survey(front));
    while ((events = hd_trace_next(trace, &count, &err))) hd_front_survey(front, events, count);
    hd_front_survey_end(front);
    hd_trace_rewind(trace);
    while ((events = hd_trace_next(trace, &count, &err))) {
        while (count) {
            size_t taken = hd_front_feed(front, events, count, &steps, &made);
            show(front, trace, steps, made);
            events += taken;
            count -= taken;
        }
    }
    hd_front_finish(front, &steps, &made);
    show(front, trace, steps, made);
    for (uint32_t i = 0; i < hd_notes_count(notes); i++) {
        say(noted, sizeof noted, hd_notes_at(notes, i));
        say(noted, sizeof noted, "; ");
    }
    hd_arena_free(arena);
    hd_trace_free(trace);
    size_t length = strlen(shown);
    if (length) shown[length - 1] = '\0';
    return shown;
}

#define CUT(want, policy, trace) TEST_ASSERT_EQUAL_STRING(want, cut(policy, trace))

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
    TEST_ASSERT_NOT_NULL(strstr(noted, "ends inside of a region"));
}

/* ---- traces that make no sense -------------------------------------------------- */

#define NOTES(part, trace)                                                               \
    do {                                                                                 \
        cut("regions", trace);                                                           \
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(noted, part), noted);                        \
    } while (0)

static void test_a_release_without_acquire_is_noted_and_left_out(void) {
    CUT("1rd*", "regions", "1 rel m\n1 rd x\n");
    TEST_ASSERT_NOT_NULL(strstr(noted, "releases lock m, which it does not hold"));
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
static void test_no_mixture_of_events_stops_it(void) {
    static const char *const lines[] = {
        "rd x", "wr y", "acq m", "rel m", "acq n read", "rel n", "fork 2", "join 2", "fork 1",
        "start", "stop", "barr b 1", "bleave b 1", "V s", "P s", "wait c m", "wake c m",
        "notify c", "begin a", "end", "txb t", "txe", "enter f", "exit f", "enter g", "exit g",
        "alloc x", "free x", "escape x", "vrmw x", "fence acquire", "once o", "sleep"};
    static const char *const policies[] = {"default", "annotated", "functions", "regions"};
    uint64_t seed = 5;
    for (int n = 0; n < (getenv("SOAK") ? 200000 : 4000); n++) {
        char text[4096] = "";
        for (int i = 0; i < 60; i++) {
            char line[64];
            seed = seed * 6364136223846793005ull + 1442695040888963407ull;
            snprintf(line, sizeof line, "%u %s\n", (unsigned)(seed >> 60) % 4,
                     lines[(seed >> 33) % (sizeof lines / sizeof *lines)]);
            strcat(text, line);
        }
        cut(policies[n % 4], text);
        TEST_ASSERT_LESS_THAN(sizeof shown, strlen(shown));
    }
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
    RUN_TEST(test_no_mixture_of_events_stops_it);
    return UNITY_END();
}

/* test_detector.c - the lockset algorithms from inside: their sets, their verdicts at once. */
#include "checkers/detector.h"
#include "checkers/race_multilockset.h"
#include "checkers/transaction.h"

#include "unity.h"

#include <stdio.h>
#include <string.h>

static struct hd_arena *arena;
static struct hd_trace *trace;
static struct hd_pass pass;
static struct hd_policy policy;
static struct hd_detector *detector;
static char verdicts[256]; /* a letter an access: r racy, - not */

void setUp(void) { arena = NULL; }
void tearDown(void) {
    hd_arena_free(arena);
    hd_trace_free(trace);
    trace = NULL;
}

static void run(const char *name, bool front_state, const char *text) {
    struct hd_error err = {.text = ""};
    hd_trace_free(trace);
    hd_arena_free(arena);
    trace = hd_trace_parse(text, "test", &err);
    TEST_ASSERT_NOT_NULL_MESSAGE(trace, err.text);
    arena = hd_arena_new();
    TEST_ASSERT_EQUAL_INT(0, hd_policy_parse(arena, "none", &policy, &err));
    struct hd_notes *notes = hd_notes_new(arena);
    struct hd_front *front = hd_front_new(arena, trace, &policy, notes, hd_detector_needs(name));
    pass = (struct hd_pass){trace, front, arena, notes, NULL};
    detector = hd_detector_open(name, &pass, front_state);
    const struct hd_event *events;
    size_t count, at = 0;
    while ((events = hd_trace_next(trace, &count, &err))) {
        while (count) {
            const struct hd_step *steps;
            size_t made, taken = hd_front_feed(front, events, count, &steps, &made);
            for (size_t i = 0; i < made; i++) {
                if (hd_kind_is_plain(steps[i].kind)) {
                    verdicts[at++] = hd_detector_access(detector, &steps[i]) ? 'r' : '-';
                }
            }
            events += taken;
            count -= taken;
        }
    }
    verdicts[at] = '\0';
}

/* "{} {o1} / {o1,o2}": read sets, write set. */
static const char *sets(void) {
    static char text[256];
    const uint32_t *reads;
    uint32_t write, n = hd_multilockset_sets(detector, 0, &reads, &write);
    text[0] = '\0';
    for (uint32_t i = 0; i <= n; i++) {
        uint32_t id = i < n ? reads[i] : write, count = 0;
        if (i == n) strcat(text, "/ ");
        if (id == HD_LOCKSET_ALL) {
            strcat(text, "none");
            continue;
        }
        const uint32_t *e = hd_lockset_elements(hd_front_locksets(pass.front), id, &count);
        strcat(text, "{");
        for (uint32_t k = 0; k < count; k++) {
            char name[32];
            if (k) strcat(text, ",");
            strcat(text, hd_front_lock_name(pass.front, HD_LOCK_OF(e[k]), name, sizeof name));
        }
        strcat(text, i < n ? "} " : "}");
    }
    return text;
}

static void test_an_unlocked_read_replaces_the_locked_ones(void) {
    run("multilockset", true,
        "T3 acq o1\nT3 rd x\nT3 rel o1\nT2 acq o2\nT2 rd x\nT2 rel o2\n"
        "T4 rd x\nT4 acq o1\nT4 acq o2\nT4 wr x\nT4 rel o2\nT4 rel o1\n");
    TEST_ASSERT_EQUAL_STRING("{} / {o1,o2}", sets());
    TEST_ASSERT_EQUAL_STRING("---r", verdicts);
}

static void test_of_comparable_read_sets_the_smaller_stays(void) {
    run("multilockset", true,
        "T1 rd x\nT1 acq l\nT1 rd x\nT1 rel l\nT2 acq l\nT2 wr x\nT2 rel l\n");
    TEST_ASSERT_EQUAL_STRING("{} / {l}", sets());
}

static void test_incomparable_read_sets_both_stay(void) {
    run("multilockset", true,
        "T3 acq o1\nT3 rd x\nT3 rel o1\nT2 acq o2\nT2 rd x\nT2 rel o2\n"
        "T1 acq o1\nT1 acq o2\nT1 wr x\nT1 rel o2\nT1 rel o1\n");
    TEST_ASSERT_EQUAL_STRING("{o1} {o2} / {o1,o2}", sets());
    TEST_ASSERT_EQUAL_STRING("---", verdicts);
}

static void test_before_the_first_write_there_is_no_write_set(void) {
    run("multilockset", true, "T1 rd x\nT2 rd x\n");
    TEST_ASSERT_EQUAL_STRING("{} / none", sets());
    TEST_ASSERT_FALSE(hd_detector_racy(detector, 0));
}

static void test_protecting_sets_judge_accesses_not_variables(void) {
    const char *text = "T1 acq m\nT1 wr x\nT1 rel m\nT2 rd x\nT2 acq m\nT2 rd x\nT2 rel m\n";
    run("flanagan-freund", false, text);
    TEST_ASSERT_EQUAL_STRING("-r-", verdicts);
    TEST_ASSERT_TRUE(hd_detector_racy(detector, 0));
}

static void test_the_front_state_leaves_out_what_one_thread_does_alone(void) {
    const char *text = "T1 wr x\nT1 wr x\nT2 acq m\nT2 wr x\nT2 rel m\n";
    run("flanagan-freund", false, text);
    TEST_ASSERT_EQUAL_STRING("rrr", verdicts);
    run("flanagan-freund", true, text);
    TEST_ASSERT_EQUAL_STRING("---", verdicts);
}

static void test_ownership_goes_over_once_for_praun_and_gross(void) {
    const char *text = "T1 wr x\nT2 wr x\nT1 wr x\n";
    run("eraser", true, text);
    TEST_ASSERT_EQUAL_STRING("-rr", verdicts);
    run("praun-gross", true, text);
    TEST_ASSERT_EQUAL_STRING("--r", verdicts);
}

static void test_periods_hand_ownership_on(void) {
    const char *ordered = "T0 wr x\nT0 fork T1\nT1 wr x\nT0 join T1\nT0 wr x\n";
    run("eraser", true, ordered);
    TEST_ASSERT_EQUAL_STRING("-rr", verdicts);
    run("eraser-periods", true, ordered);
    TEST_ASSERT_EQUAL_STRING("---", verdicts);
    run("eraser-periods", true, "T0 fork T1\nT0 wr x\nT1 wr x\n");
    TEST_ASSERT_EQUAL_STRING("-r", verdicts);
}

static void test_every_detector_has_a_name_of_its_own(void) {
    for (int i = 0; hd_detectors[i]; i++) {
        for (int k = 0; k < i; k++) {
            TEST_ASSERT_NOT_EQUAL(0, strcmp(hd_detectors[i]->name, hd_detectors[k]->name));
        }
        run(hd_detectors[i]->name, true, "T1 rd x\n");
        TEST_ASSERT_FALSE(hd_detector_racy(detector, 0));
    }
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_an_unlocked_read_replaces_the_locked_ones);
    RUN_TEST(test_of_comparable_read_sets_the_smaller_stays);
    RUN_TEST(test_incomparable_read_sets_both_stay);
    RUN_TEST(test_before_the_first_write_there_is_no_write_set);
    RUN_TEST(test_protecting_sets_judge_accesses_not_variables);
    RUN_TEST(test_the_front_state_leaves_out_what_one_thread_does_alone);
    RUN_TEST(test_ownership_goes_over_once_for_praun_and_gross);
    RUN_TEST(test_periods_hand_ownership_on);
    RUN_TEST(test_every_detector_has_a_name_of_its_own);
    return UNITY_END();
}

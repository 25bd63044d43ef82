/* test_reduction.c - the strings of transactions, and how they are matched. */
#include "checkers/reduction_build.h"
#include "checkers/transaction.h"

#include "unity.h"

#include <string.h>

void setUp(void) {}
void tearDown(void) {}

/* The classes of the events of a region's last transaction, by all of the trace,
 * and behind them a mark if they match. */
static const char *pattern(const char *text, const char *region, bool theorem2,
                           bool lock_rules) {
    static char out[256];
    struct hd_error err = {.text = ""};
    struct hd_trace *trace = hd_trace_parse(text, "test", &err);
    TEST_ASSERT_NOT_NULL_MESSAGE(trace, err.text);
    struct hd_arena *arena = hd_arena_new();
    struct hd_policy policy;
    TEST_ASSERT_EQUAL_INT(0, hd_policy_parse(arena, "annotated", &policy, &err));
    struct hd_notes *notes = hd_notes_new(arena);
    struct hd_front *front =
        hd_front_new(arena, trace, &policy, notes,
                     HD_NEED_TRANSACTIONS | HD_NEED_PERIODS | HD_NEED_ESCAPE);
    struct hd_pass pass = {
        .trace = trace, .front = front, .arena = arena, .notes = notes};
    struct hd_reduction_classes classes;
    hd_reduction_classes_init(&classes, &pass, "multilockset", lock_rules, true);
    struct hd_reduction_shapes shapes;
    hd_reduction_shapes_init(&shapes, arena);
    struct hd_reduction_builder *builders =
        hd_arena_array(arena, hd_trace_threads(trace), sizeof *builders);
    const struct hd_event *events;
    const struct hd_step *steps;
    size_t count, made;
    bool more = true;
    while (more) {
        events = hd_trace_next(trace, &count, &err);
        more = events != NULL;
        for (bool again = true; again;) {
            size_t taken = 0;
            if (more) {
                taken = hd_front_feed(front, events, count, &steps, &made);
            } else {
                hd_front_finish(front, &steps, &made);
            }
            for (size_t i = 0; i < made; i++) {
                struct hd_reduction_builder *b = &builders[steps[i].thread];
                uint32_t slot;
                if (hd_reduction_build(b, &classes, &pass, &steps[i]) &&
                    !hd_reduction_shape_is_known(&shapes, &b->shape, &slot)) {
                    hd_reduction_shape_keep(&shapes, &b->shape, slot);
                }
            }
            events += taken;
            count -= more ? taken : 0;
            again = more && count;
        }
    }
    struct hd_reduction_scratch scratch = {.classes = NULL};
    struct hd_reduction_breach breach;
    strcpy(out, "none");
    for (uint32_t i = 0; i < shapes.count; i++) {
        char name[64];
        if (strcmp(hd_front_region_name(front, shapes.shapes[i].region, name, 64),
                   region))
            continue;
        hd_reduction_classify(&classes, &shapes.shapes[i], theorem2, arena, &scratch);
        hd_reduction_print(&shapes.shapes[i], &scratch, out, sizeof out - 8);
        if (hd_reduction_matches(&shapes.shapes[i], &scratch, &breach))
            strcat(out, " fits");
    }
    hd_arena_free(arena);
    hd_trace_free(trace);
    return out;
}

static const char *const vector =
    "T1 begin Vector\nT1 alloc v2.count v2.data\nT1 acq v1\nT1 rd v1.count\nT1 rel v1\n"
    "T1 wr v2.count\nT1 wr v2.data\nT1 acq v1\nT1 rd v1.count\nT1 rd v1.count\nT1 rd "
    "v1.data\n"
    "T1 rel v1\nT1 end\nT2 begin removeAll\nT2 acq v1\nT2 rd v1.count\nT2 wr v1.data\n"
    "T2 wr v1.count\nT2 rel v1\nT2 end\n";

static void test_the_trees_of_figure_5(void) {
    TEST_ASSERT_EQUAL_STRING("RBLRBBBL", pattern(vector, "Vector", true, true));
    TEST_ASSERT_EQUAL_STRING("RBBBL fits", pattern(vector, "removeAll", true, true));
}

static void test_a_third_access_changes_nothing(void) {
    TEST_ASSERT_EQUAL_STRING("NN",
                             pattern("T1 begin a\nT1 rd x\nT1 rd x\nT1 rd x\nT1 end\n"
                                     "T2 begin b\nT2 wr x\nT2 end\n",
                                     "a", true, true));
    TEST_ASSERT_EQUAL_STRING("N fits", pattern("T1 begin a\nT1 rd x\nT1 end\n"
                                               "T2 begin b\nT2 wr x\nT2 end\n",
                                               "a", true, true));
}

static const char *const empty_regions = "T1 begin a\nT1 acq m\nT1 acq k\nT1 rd c\nT1 "
                                         "rel k\nT1 rd c\nT1 rel m\nT1 acq m\nT1 wr x\n"
                                         "T1 rel m\nT1 end\nT2 begin b\nT2 acq m\nT2 wr "
                                         "x\nT2 rel m\nT2 acq k\nT2 rd c\nT2 rel k\n"
                                         "T2 end\n";

static void test_regions_that_only_read_constants_are_deleted_from_the_inside(void) {
    TEST_ASSERT_EQUAL_STRING("BBBBBBRBL fits", pattern(empty_regions, "a", true, true));
    TEST_ASSERT_EQUAL_STRING("RRBLBLRBL", pattern(empty_regions, "a", false, true));
}

static void test_regions_that_overlap_are_not_deleted(void) {
    TEST_ASSERT_EQUAL_STRING(
        "RRBLLRBL",
        pattern("T1 begin a\nT1 acq m\nT1 acq k\nT1 rd c\nT1 rel m\nT1 rel k\nT1 acq m\n"
                "T1 wr x\nT1 rel m\nT1 end\n"
                "T2 begin b\nT2 acq m\nT2 wr x\nT2 rel m\nT2 acq k\nT2 rel k\nT2 end\n",
                "a", true, true));
}

static const char *const guarded = "T1 begin a\nT1 acq m\nT1 acq k\nT1 wr x\nT1 rel "
                                   "k\nT1 acq k\nT1 wr y\nT1 rel k\nT1 rel m\n"
                                   "T1 end\nT2 begin b\nT2 acq m\nT2 acq k\nT2 wr x\nT2 "
                                   "wr y\nT2 rel k\nT2 rel m\nT2 end\n";

static void test_a_lock_that_is_only_taken_under_another_moves_both_ways(void) {
    TEST_ASSERT_EQUAL_STRING("RBBBBBBL fits", pattern(guarded, "a", true, true));
    TEST_ASSERT_EQUAL_STRING("RRBLRBLL", pattern(guarded, "a", true, false));
}

static void test_a_protector_that_goes_first_protects_nothing(void) {
    const char *text =
        "T1 begin a\nT1 acq m\nT1 acq k\nT1 wr x\nT1 rel m\nT1 rel k\nT1 end\n"
        "T2 begin b\nT2 acq m\nT2 acq k\nT2 wr x\nT2 rel k\nT2 rel m\nT2 end\n";
    TEST_ASSERT_EQUAL_STRING("RRBLL fits", pattern(text, "a", true, true));
}

static void test_readers_of_the_protector_protect_nothing(void) {
    const char *text =
        "T1 begin a\nT1 acq m read\nT1 acq k\nT1 wr x\nT1 rel k\nT1 rel m read\n"
        "T1 end\nT2 begin b\nT2 acq m read\nT2 acq k\nT2 wr x\nT2 rel k\n"
        "T2 rel m read\nT2 end\n";
    TEST_ASSERT_EQUAL_STRING("RRBLL fits", pattern(text, "a", true, true));
}

static void test_an_atomic_access_does_not_move_unless_it_is_alone(void) {
    TEST_ASSERT_EQUAL_STRING("NB fits",
                             pattern("T1 begin a\nT1 vrmw n\nT1 vwr own\nT1 end\n"
                                     "T2 begin b\nT2 vrmw n\nT2 end\n",
                                     "a", true, true));
}

static void test_a_plain_access_next_to_atomic_ones_does_not_move(void) {
    TEST_ASSERT_EQUAL_STRING("NN", pattern("T1 begin a\nT1 rd n\nT1 rd n\nT1 end\n"
                                           "T2 begin b\nT2 vwr n\nT2 end\n",
                                           "a", true, true));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_the_trees_of_figure_5);
    RUN_TEST(test_a_third_access_changes_nothing);
    RUN_TEST(test_regions_that_only_read_constants_are_deleted_from_the_inside);
    RUN_TEST(test_regions_that_overlap_are_not_deleted);
    RUN_TEST(test_a_lock_that_is_only_taken_under_another_moves_both_ways);
    RUN_TEST(test_a_protector_that_goes_first_protects_nothing);
    RUN_TEST(test_readers_of_the_protector_protect_nothing);
    RUN_TEST(test_an_atomic_access_does_not_move_unless_it_is_alone);
    RUN_TEST(test_a_plain_access_next_to_atomic_ones_does_not_move);
    return UNITY_END();
}

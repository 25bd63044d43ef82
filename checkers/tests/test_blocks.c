/* test_blocks.c - the parts of the block checker, and the blocks it makes. */
#include "checkers/blocks_build.h"
#include "checkers/blocks_decide.h"
#include "checkers/blocks_match.h"
#include "checkers/transaction.h"

#include "unity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

enum { R = HD_BLOCKS_R, W = HD_BLOCKS_W };

/* ---- patterns ---------------------------------------------------------- */

static void test_the_four_patterns_of_one_variable(void) {
    TEST_ASSERT_EQUAL_INT(1, hd_blocks_pattern1(W, R, W, HD_BLOCKS_INITIAL, false));
    TEST_ASSERT_EQUAL_INT(2, hd_blocks_pattern1(R, W, R, 0, false));
    TEST_ASSERT_EQUAL_INT(3, hd_blocks_pattern1(W, W, R, 0, false));
    TEST_ASSERT_EQUAL_INT(4, hd_blocks_pattern1(R, W, W, HD_BLOCKS_FINAL, false));
    TEST_ASSERT_EQUAL_INT(0, hd_blocks_pattern1(R, R, W, HD_BLOCKS_INITIAL, false));
    TEST_ASSERT_EQUAL_INT(0, hd_blocks_pattern1(W, W, W, HD_BLOCKS_FINAL, false));
}

static void test_a_later_read_between_two_writes_is_a_pattern_only_in_print(void) {
    TEST_ASSERT_EQUAL_INT(0, hd_blocks_pattern1(W, R, W, 0, false));
    TEST_ASSERT_EQUAL_INT(1, hd_blocks_pattern1(W, R, W, 0, true));
}

static void test_a_write_that_is_not_final_between_read_and_write_is_none(void) {
    TEST_ASSERT_EQUAL_INT(0, hd_blocks_pattern1(R, W, W, 0, false));
}

/* The same by the definition: four operations on two variables in some order, and
 * whether one of the two serial orders has the same conflicts in the same order. */
static bool serializable(const int who[4], const unsigned op[2][2], const int var[2][2]) {
    int next[2] = {0, 0}, first = -1;
    struct {
        int who, var;
        unsigned op;
    } run[4];
    for (int i = 0; i < 4; i++) {
        int t = who[i];
        run[i].who = t;
        run[i].var = var[t][next[t]];
        run[i].op = op[t][next[t]++];
    }
    for (int i = 0; i < 4; i++) {
        for (int k = i + 1; k < 4; k++) {
            if (run[i].who == run[k].who || run[i].var != run[k].var) continue;
            if (run[i].op != W && run[k].op != W) continue;
            if (first >= 0 && first != run[i].who) return false;
            first = run[i].who;
        }
    }
    return true;
}

static void test_fifty_four_orders_of_two_variables_and_no_other(void) {
    static const int orders[6][4] = {{0, 0, 1, 1}, {1, 1, 0, 0}, {0, 1, 1, 0},
                                     {1, 0, 0, 1}, {0, 1, 0, 1}, {1, 0, 1, 0}};
    static const unsigned bits[6] = {
        0, 0, HD_BLOCKS_1221, HD_BLOCKS_2112, HD_BLOCKS_1212, HD_BLOCKS_2121};
    unsigned count = 0;
    for (int n = 0; n < 32; n++) {
        unsigned op[2][2] = {{n & 1 ? W : R, n & 2 ? W : R},
                             {n & 4 ? W : R, n & 8 ? W : R}};
        bool same = n & 16;
        int var[2][2] = {{0, 1}, {!same, same}};
        unsigned set = hd_blocks_pattern2(op[0][0], op[0][1], op[1][0], op[1][1], same);
        for (int o = 0; o < 6; o++) {
            bool wrong =
                !serializable(orders[o], (const unsigned(*)[2])op, (const int(*)[2])var);
            TEST_ASSERT_EQUAL_INT_MESSAGE(wrong, (set & bits[o]) != 0, "an order");
            count += wrong;
        }
    }
    TEST_ASSERT_EQUAL_UINT(54, count);
}

/* ---- the progress graph -------------------------------------------------- */

#define ACQ(l)                                                                           \
    { .lock = (l) }
#define REL(l)                                                                           \
    { .lock = (l), .release = true }
#define SHARE(l)                                                                         \
    { .lock = (l), .shared = true }
#define UNSHARE(l)                                                                       \
    { .lock = (l), .release = true, .shared = true }
#define SKELETON(...)                                                                    \
    {                                                                                    \
        (const struct hd_blocks_step[]){__VA_ARGS__},                                    \
            sizeof((struct hd_blocks_step[]){__VA_ARGS__}) /                             \
                sizeof(struct hd_blocks_step)                                            \
    }

static int order_is_possible(const struct hd_blocks_skeleton side[2],
                             const struct hd_blocks_mark *marks, size_t count) {
    return hd_blocks_graph(side, marks, count) == HD_BLOCKS_YES;
}

static void test_nothing_gets_into_a_lock_region_of_the_same_lock(void) {
    struct hd_blocks_skeleton side[2] = {SKELETON(ACQ(0), REL(0)),
                                         SKELETON(ACQ(0), REL(0))};
    struct hd_blocks_mark inside[3] = {{0, 1}, {1, 1}, {0, 1}};
    struct hd_blocks_mark after[3] = {{0, 1}, {1, 1}, {0, 2}};
    TEST_ASSERT_FALSE(order_is_possible(side, inside, 3));
    TEST_ASSERT_TRUE(order_is_possible(side, after, 3));
}

static void test_readers_get_into_each_other(void) {
    struct hd_blocks_skeleton side[2] = {SKELETON(SHARE(0), UNSHARE(0)),
                                         SKELETON(SHARE(0), UNSHARE(0))};
    struct hd_blocks_mark inside[3] = {{0, 1}, {1, 1}, {0, 1}};
    TEST_ASSERT_TRUE(order_is_possible(side, inside, 3));
    struct hd_blocks_skeleton writer[2] = {side[0], SKELETON(ACQ(0), REL(0))};
    TEST_ASSERT_FALSE(order_is_possible(writer, inside, 3));
}

static void test_a_lock_handed_over_leaves_no_gap(void) {
    struct hd_blocks_skeleton side[2] = {SKELETON(ACQ(0), ACQ(1), REL(0), REL(1)),
                                         SKELETON(ACQ(0), ACQ(1), REL(1), REL(0))};
    struct hd_blocks_mark order[3] = {{0, 1}, {1, 2}, {0, 3}};
    TEST_ASSERT_FALSE(order_is_possible(side, order, 3));
}

static void test_what_only_a_deadlock_leads_to_is_impossible(void) {
    struct hd_blocks_skeleton side[2] = {SKELETON(ACQ(0), ACQ(1), REL(1), REL(0)),
                                         SKELETON(ACQ(1), ACQ(0), REL(0), REL(1))};
    struct hd_blocks_mark order[3] = {{1, 3}, {0, 3}, {1, 3}};
    TEST_ASSERT_FALSE(order_is_possible(side, order, 3));
}

static void test_a_graph_that_is_too_large_is_not_searched(void) {
    uint32_t count = 40000;
    struct hd_blocks_step *steps = calloc(count, sizeof *steps);
    for (uint32_t i = 0; i < count; i++)
        steps[i] = (struct hd_blocks_step){i / 2, i & 1, false};
    struct hd_blocks_skeleton side[2] = {{steps, count}, {steps, count}};
    struct hd_blocks_mark order[3] = {{0, 1}, {1, 1}, {0, 2}};
    TEST_ASSERT_EQUAL_INT(HD_BLOCKS_TOO_LARGE, hd_blocks_graph(side, order, 3));
    free(steps);
}

/* ---- sets of transactions ------------------------------------------------- */

static enum hd_blocks_answer decide(const char *const *txns, uint32_t count) {
    static struct hd_blocks_item items[HD_BLOCKS_DECIDE_MAX][16];
    struct hd_blocks_set set = {.count = count};
    struct hd_blocks_move run[64];
    uint32_t length;
    for (uint32_t t = 0; t < count; t++) {
        for (const char *at = txns[t]; *at; at += 2) {
            static const char letters[] = "aslRW";
            items[t][set.lengths[t]++] = (struct hd_blocks_item){
                .obj = (uint32_t)at[1],
                .what = (uint8_t)(strchr(letters, at[0]) - letters)};
        }
        set.items[t] = items[t];
    }
    return hd_blocks_decide(&set, 100000, run, 64, &length);
}

static void test_three_in_a_circle_are_not_atomic(void) {
    const char *const circle[] = {"WxWy", "RxWz", "RzRy"};
    TEST_ASSERT_EQUAL_INT(HD_BLOCKS_YES, decide(circle, 3));
    TEST_ASSERT_EQUAL_INT(HD_BLOCKS_NO, decide(circle, 2));
    TEST_ASSERT_EQUAL_INT(HD_BLOCKS_NO, decide(circle + 1, 2));
}

static void test_a_blind_write_of_a_third_hides_the_order_of_two(void) {
    /* a: acquire, l: release of lock m */
    const char *const three[] = {"amRxWxlm", "Wx", "amWxlm"};
    TEST_ASSERT_EQUAL_INT(HD_BLOCKS_YES, decide(three, 2));
    TEST_ASSERT_EQUAL_INT(HD_BLOCKS_NO, decide(three, 3));
}

static void test_a_budget_of_states_is_kept(void) {
    const char *const many[] = {"RxRyRzWxWyWz", "RzRyRxWzWyWx", "RxRyRz"};
    struct hd_blocks_set set = {.count = 0};
    struct hd_blocks_move run[1];
    uint32_t length;
    TEST_ASSERT_EQUAL_INT(HD_BLOCKS_YES, decide(many, 3));
    TEST_ASSERT_EQUAL_INT(HD_BLOCKS_NO, hd_blocks_decide(&set, 10, run, 1, &length));
    static const struct hd_blocks_item item = {.what = HD_BLOCKS_ITEM_WRITE};
    set.count = 3;
    for (int i = 0; i < 3; i++)
        set.items[i] = &item, set.lengths[i] = 1;
    TEST_ASSERT_EQUAL_INT(HD_BLOCKS_TOO_LARGE,
                          hd_blocks_decide(&set, 2, run, 1, &length));
}

/* ---- the blocks of a transaction ------------------------------------------ */

static struct hd_arena *arena;
static struct hd_trace *trace;
static struct hd_front *front;
static struct hd_blocks_store store;

static const char *set_text(uint32_t id, char *buffer) {
    uint32_t count;
    const uint32_t *e = hd_lockset_elements(hd_front_locksets(front), id, &count);
    strcpy(buffer, "{");
    for (uint32_t i = 0; i < count; i++) {
        char name[64];
        if (i) strcat(buffer, ",");
        strcat(buffer, hd_front_lock_name(front, HD_LOCK_OF(e[i]), name, sizeof name));
    }
    return strcat(buffer, "}");
}

static int by_text(const void *a, const void *b) { return strcmp(a, b); }

/* The blocks of one region in the paper's notation, sorted, a line each. Flags of
 * final writes stand behind the operation: W!. `every`: also those that say
 * nothing new. */
static const char *blocks_of(const char *text, const char *region, bool pairs,
                             bool every) {
    static char lines[64][256], all[64 * 256];
    struct hd_error err = {.text = ""};
    trace = hd_trace_parse(text, "test", &err);
    TEST_ASSERT_NOT_NULL_MESSAGE(trace, err.text);
    arena = hd_arena_new();
    struct hd_policy policy;
    TEST_ASSERT_EQUAL_INT(0, hd_policy_parse(arena, "annotated", &policy, &err));
    struct hd_notes *notes = hd_notes_new(arena);
    front = hd_front_new(arena, trace, &policy, notes,
                         HD_NEED_TRANSACTIONS | HD_NEED_PERIODS | HD_NEED_ESCAPE);
    struct hd_pass pass = {
        .trace = trace, .front = front, .arena = arena, .notes = notes};
    hd_blocks_store_init(&store, arena, hd_front_locksets(front));
    store.every = every;
    struct hd_blocks_builder *builders =
        hd_arena_array(arena, hd_trace_threads(trace), sizeof *builders);
    struct hd_blocks_sink sink = {
        .pass = &pass, .store = &store, .pairs = pairs, .escape = true, .periods = true};
    const struct hd_event *events;
    const struct hd_step *steps;
    size_t count, made;
    while ((events = hd_trace_next(trace, &count, &err))) {
        while (count) {
            size_t taken = hd_front_feed(front, events, count, &steps, &made);
            hd_blocks_build(builders, &sink, steps, made);
            events += taken;
            count -= taken;
        }
    }
    hd_front_finish(front, &steps, &made);
    hd_blocks_build(builders, &sink, steps, made);
    uint32_t used = 0;
    for (uint32_t id = 0; id < store.block_count; id++) {
        const struct hd_blocks_block *b = hd_blocks_get(&store, id);
        char name[2][64], held[4][64];
        static const char *const op[] = {"-", "R", "W"};
        if (strcmp(hd_front_region_name(front, b->region, name[0], 64), region)) continue;
        if ((b->var[0] != b->var[1]) != pairs) continue;
        snprintf(lines[used++], sizeof *lines, "%s%s%s %s%s %s%s %s %s %s%s%s",
                 hd_trace_variable_name(trace, b->var[0], name[0], 64), pairs ? "," : "",
                 pairs ? hd_trace_variable_name(trace, b->var[1], name[1], 64) : "",
                 op[b->op[0]], b->flags & HD_BLOCKS_FINAL1 ? "!" : "", op[b->op[1]],
                 b->flags & HD_BLOCKS_FINAL2 ? "!" : "", set_text(b->held[0], held[0]),
                 set_text(b->held[1], held[1]), set_text(b->held12, held[2]),
                 pairs ? " " : "", pairs ? set_text(b->mid, held[3]) : "");
    }
    qsort(lines, used, sizeof *lines, by_text);
    all[0] = '\0';
    for (uint32_t i = 0; i < used; i++)
        strcat(strcat(all, i ? "\n" : ""), lines[i]);
    hd_arena_free(arena);
    hd_trace_free(trace);
    return all;
}

static void test_equation_2_of_the_paper(void) {
    const char *text = "T1 begin t\nT1 acq l1\nT1 rd v\nT1 acq l2\nT1 wr v\nT1 rd v\n"
                       "T1 rel l2\nT1 rel l1\nT1 end\nT2 begin u\nT2 wr v\nT2 end\n";
    TEST_ASSERT_EQUAL_STRING("v R W! {l1} {l1,l2} {l1}\nv W! R {l1,l2} {l1,l2} {l1,l2}",
                             blocks_of(text, "t", false, true));
    TEST_ASSERT_EQUAL_STRING("v W! - {} {} {}", blocks_of(text, "u", false, true));
}

static void test_a_single_read_stands_with_a_dummy(void) {
    const char *text =
        "T4 begin t4\nT4 rd x\nT4 acq o1\nT4 acq o2\nT4 wr x\nT4 rel o2\n"
        "T4 rel o1\nT4 end\nT2 begin t2\nT2 acq o2\nT2 rd x\nT2 rel o2\nT2 end\n";
    TEST_ASSERT_EQUAL_STRING("x R W! {} {o1,o2} {}", blocks_of(text, "t4", false, true));
    TEST_ASSERT_EQUAL_STRING("x R - {o2} {} {}", blocks_of(text, "t2", false, true));
}

static void test_three_pairs_of_events_are_one_block(void) {
    TEST_ASSERT_EQUAL_STRING(
        "v W! R {} {} {}",
        blocks_of("T1 begin t\nT1 wr v\nT1 rd v\nT1 rd v\nT1 rd v\nT1 end\n", "t", false,
                  true));
}

static void test_a_lock_taken_again_is_not_held_throughout(void) {
    TEST_ASSERT_EQUAL_STRING(
        "x R R {m} {m} {}",
        blocks_of("T1 begin t\nT1 acq m\nT1 rd x\nT1 rel m\nT1 acq m\n"
                  "T1 rd x\nT1 rel m\nT1 end\n",
                  "t", false, true));
}

static void test_equation_5_of_the_paper(void) {
    TEST_ASSERT_EQUAL_STRING(
        "x,y R W {} {} {} {}\nx,y W W {} {} {} {}",
        blocks_of("T1 begin t\nT1 rd x\nT1 wr y\nT1 wr x\nT1 wr y\nT1 rd x\nT1 end\n",
                  "t", true, true));
}

static void test_a_write_in_the_same_place_says_what_the_read_would(void) {
    TEST_ASSERT_EQUAL_STRING(
        "x,y W W {} {} {} {}",
        blocks_of("T1 begin t\nT1 rd x\nT1 wr y\nT1 wr x\nT1 wr y\nT1 rd x\nT1 end\n",
                  "t", true, false));
    TEST_ASSERT_EQUAL_STRING(
        "x,y R W {m} {m} {m} {}\ny,x W W {m} {m} {m} {}",
        blocks_of("T1 begin t\nT1 acq m\nT1 rd x\nT1 wr y\nT1 wr x\nT1 rel m\nT1 end\n",
                  "t", true, false));
}

static void test_what_is_taken_and_released_in_between(void) {
    TEST_ASSERT_EQUAL_STRING(
        "x,y R W {m} {m} {m} {k}",
        blocks_of("T1 begin t\nT1 acq m\nT1 rd x\nT1 acq k\nT1 rel k\n"
                  "T1 acq m\nT1 rel m\nT1 wr y\nT1 rel m\nT1 end\n",
                  "t", true, true));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_the_four_patterns_of_one_variable);
    RUN_TEST(test_a_later_read_between_two_writes_is_a_pattern_only_in_print);
    RUN_TEST(test_a_write_that_is_not_final_between_read_and_write_is_none);
    RUN_TEST(test_fifty_four_orders_of_two_variables_and_no_other);
    RUN_TEST(test_nothing_gets_into_a_lock_region_of_the_same_lock);
    RUN_TEST(test_readers_get_into_each_other);
    RUN_TEST(test_a_lock_handed_over_leaves_no_gap);
    RUN_TEST(test_what_only_a_deadlock_leads_to_is_impossible);
    RUN_TEST(test_a_graph_that_is_too_large_is_not_searched);
    RUN_TEST(test_three_in_a_circle_are_not_atomic);
    RUN_TEST(test_a_blind_write_of_a_third_hides_the_order_of_two);
    RUN_TEST(test_a_budget_of_states_is_kept);
    RUN_TEST(test_equation_2_of_the_paper);
    RUN_TEST(test_a_single_read_stands_with_a_dummy);
    RUN_TEST(test_three_pairs_of_events_are_one_block);
    RUN_TEST(test_a_lock_taken_again_is_not_held_throughout);
    RUN_TEST(test_equation_5_of_the_paper);
    RUN_TEST(test_a_write_in_the_same_place_says_what_the_read_would);
    RUN_TEST(test_what_is_taken_and_released_in_between);
    return UNITY_END();
}

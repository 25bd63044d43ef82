/* test_confirm.c - whose plans come next. */
#include "harness/confirm.h"

#include "unity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define QUESTIONS 3

static struct hd_question list[QUESTIONS];
static struct hd_questions questions;
static char path[] = "/tmp/heddle-test-confirm-XXXXXX";

static void give(int question, int plans) {
    struct hd_plans *all = calloc(1, sizeof *all);
    for (int i = 0; i < plans; i++) {
        char rules[32];
        snprintf(rules, sizeof rules, "%c%d\n", 'a' + question, i);
        all->list[all->count++].rules = strdup(rules);
    }
    list[question].plans = all;
}

void setUp(void) {
    memset(list, 0, sizeof list);
    questions = (struct hd_questions){.list = list, .count = QUESTIONS};
    strcpy(path + strlen(path) - 6, "XXXXXX");
    close(mkstemp(path));
    give(0, 5);
    give(1, 2);
    give(2, 3);
    for (int i = 0; i < QUESTIONS; i++) list[i].score = 10 - i; /* a first, then b, then c */
}

void tearDown(void) {
    for (int i = 0; i < QUESTIONS; i++) hd_plans_free(list[i].plans);
    unlink(path);
}

/* The plans of a batch in order: "a0 b0". */
static const char *batch(uint32_t each, uint64_t most) {
    static char text[256];
    char line[64];
    struct hd_error err = {0};
    text[0] = '\0';
    int count = hd_confirm_batch(&questions, each, most, path, &err);
    FILE *in = fopen(path, "r");
    while (in && fgets(line, sizeof line, in)) {
        if (strcmp(line, "goal\n") == 0) continue;
        line[strcspn(line, "\n")] = '\0';
        if (text[0]) strcat(text, " ");
        strcat(text, line);
        count--;
    }
    if (in) fclose(in);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, count, "as many goals as it says");
    return text;
}

static void test_everybody_gets_one_the_most_promising_first(void) {
    TEST_ASSERT_EQUAL_STRING("a0 b0 c0", batch(1, 100));
    TEST_ASSERT_EQUAL_STRING("a1 b1 c1", batch(1, 100));
}

static void test_who_has_none_left_is_passed_over(void) {
    TEST_ASSERT_EQUAL_STRING("a0 b0 c0 a1 b1 c1 a2 c2", batch(3, 100));
    TEST_ASSERT_EQUAL_STRING("a3 a4", batch(3, 100));
    TEST_ASSERT_EQUAL_STRING("", batch(3, 100));
}

static void test_who_got_nothing_for_lack_of_budget_comes_first_next_time(void) {
    TEST_ASSERT_EQUAL_STRING("a0 b0", batch(1, 2));
    TEST_ASSERT_EQUAL_STRING("c0", batch(1, 2));
    TEST_ASSERT_EQUAL_STRING("a1 b1", batch(1, 2));
    TEST_ASSERT_EQUAL_STRING("c1", batch(1, 2));
}

static void test_no_plan_is_lost_or_tried_twice(void) {
    TEST_ASSERT_EQUAL_STRING("a0", batch(4, 1));
    TEST_ASSERT_EQUAL_STRING("b0 c0 a1 b1", batch(4, 4));
    TEST_ASSERT_EQUAL_STRING("c1 a2 c2 a3", batch(4, 4));
    TEST_ASSERT_EQUAL_STRING("a4", batch(4, 4));
}

static void test_what_has_happened_needs_no_plan(void) {
    list[1].happened = 1;
    TEST_ASSERT_EQUAL_STRING("a0 c0", batch(1, 100));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_everybody_gets_one_the_most_promising_first);
    RUN_TEST(test_who_has_none_left_is_passed_over);
    RUN_TEST(test_who_got_nothing_for_lack_of_budget_comes_first_next_time);
    RUN_TEST(test_no_plan_is_lost_or_tried_twice);
    RUN_TEST(test_what_has_happened_needs_no_plan);
    return UNITY_END();
}

/* test_option.c - command lines, right and wrong. */
#include "harness/option.h"
#include "harness/strategies.h"
#include "harness/suggest.h"

#include "unity.h"

#include <stdlib.h>
#include <string.h>

static struct hd_options options;
static struct hd_error error;
static bool help;
static char *args[16];
static int count;

static struct hd_option_set sets[] = {{hd_common_options, &options, 0}, {NULL, NULL, 0}};
static struct hd_usage usage = {"run", "PROG", "About.", sets, false};

/* Split a line at blanks and read it; the index of the first operand, or -1. */
static int read_line(const char *line) {
    static char words[512];
    snprintf(words, sizeof words, "run %s", line);
    count = 0;
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
        args[count++] = word;
    return hd_options_parse(&usage, count, args, &help, &error);
}

static void refuses(const char *line, const char *message) {
    memset(&error, 0, sizeof error);
    TEST_ASSERT_EQUAL_INT_MESSAGE(-1, read_line(line), line);
    TEST_ASSERT_EQUAL_STRING(message, error.text);
}

void setUp(void) {
    memset(&options, 0, sizeof options);
    memset(&error, 0, sizeof error);
    sets[0].groups = 0;
    usage.mixed = false;
}
void tearDown(void) {}

static void test_defaults_are_those_of_the_table(void) {
    TEST_ASSERT_EQUAL_INT(1, read_line(""));
    TEST_ASSERT_EQUAL_UINT64(1, options.seed);
    TEST_ASSERT_EQUAL_UINT64(10000, options.executions);
    TEST_ASSERT_EQUAL_UINT64(1000000, options.steps);
    TEST_ASSERT_EQUAL_UINT64(60, (uint64_t)options.time);
    TEST_ASSERT_EQUAL_UINT64(UINT64_C(1) << 30, options.memory);
    TEST_ASSERT_EQUAL_UINT(HD_OBSERVE_EXIT | HD_OBSERVE_STDOUT | HD_OBSERVE_VALUES,
                           options.observe);
    TEST_ASSERT_EQUAL_STRING("default", options.transactions);
    TEST_ASSERT_NULL(options.strategy);
    TEST_ASSERT_TRUE(hd_options_jobs(&options) >= 1);
}

static void test_options_of_the_program_are_left_alone(void) {
    TEST_ASSERT_EQUAL_INT(3, read_line("--seed 4 ./prog --seed 5 -x"));
    TEST_ASSERT_EQUAL_UINT64(4, options.seed);
    TEST_ASSERT_EQUAL_STRING("--seed", args[4]);
}

static void test_two_dashes_end_the_options(void) {
    TEST_ASSERT_EQUAL_INT(3, read_line("--json -- --odd-name"));
    TEST_ASSERT_EQUAL_STRING("--odd-name", args[3]);
    TEST_ASSERT_TRUE(options.json);
}

static void test_a_value_may_follow_an_equals_sign_or_a_letter(void) {
    TEST_ASSERT_EQUAL_INT(4, read_line("--seed=9 -ofile.json -j3 p"));
    TEST_ASSERT_EQUAL_UINT64(9, options.seed);
    TEST_ASSERT_EQUAL_STRING("file.json", options.out);
    TEST_ASSERT_EQUAL_UINT64(3, options.jobs);
}

static void test_the_last_of_two_counts(void) {
    read_line("--seed 1 --seed 2");
    TEST_ASSERT_EQUAL_UINT64(2, options.seed);
}

static void test_mixed_commands_take_options_after_operands(void) {
    usage.mixed = true;
    TEST_ASSERT_EQUAL_INT(4, read_line("a --seed 7 b --json c"));
    TEST_ASSERT_EQUAL_STRING("a", args[4]);
    TEST_ASSERT_EQUAL_STRING("b", args[5]);
    TEST_ASSERT_EQUAL_STRING("c", args[6]);
    TEST_ASSERT_EQUAL_UINT64(7, options.seed);
    TEST_ASSERT_TRUE(options.json);
}

static void test_a_lone_dash_is_an_operand(void) {
    TEST_ASSERT_EQUAL_INT(1, read_line("-"));
}

static void test_two_dashes_after_operands_hide_what_follows(void) {
    usage.mixed = true;
    TEST_ASSERT_EQUAL_INT(3, read_line("a --json -- --b"));
    TEST_ASSERT_EQUAL_STRING("a", args[3]);
    TEST_ASSERT_EQUAL_STRING("--b", args[4]);
}

static void test_numbers_are_digits_and_nothing_else(void) {
    refuses("--seed x p", "--seed x: expected a number from 0 to 9223372036854775807");
    refuses("--seed 12x p",
            "--seed 12x: expected a number from 0 to 9223372036854775807");
    refuses("--seed -1 p", "--seed -1: expected a number from 0 to 9223372036854775807");
    refuses("--seed= p", "--seed : expected a number from 0 to 9223372036854775807");
    refuses(
        "--seed 18446744073709551616 p",
        "--seed 18446744073709551616: expected a number from 0 to 9223372036854775807");
    TEST_ASSERT_EQUAL_INT(
        3, (memset(&error, 0, sizeof error), read_line("--seed 9223372036854775807")));
    TEST_ASSERT_EQUAL_UINT64(INT64_MAX, options.seed);
}

static void test_numbers_out_of_range_are_refused(void) {
    refuses("--jobs 0 p", "--jobs 0: expected a number from 1 to 1024");
    refuses("--jobs 1025 p", "--jobs 1025: expected a number from 1 to 1024");
}

static void test_seconds_may_have_a_fraction(void) {
    read_line("--time 0.5");
    TEST_ASSERT_TRUE(options.time == 0.5);
    refuses("--time 1e9", "--time 1e9: expected seconds from 0 to 31536000");
    refuses("--time nan", "--time nan: expected seconds from 0 to 31536000");
    refuses("--time .", "--time .: expected seconds from 0 to 31536000");
}

static void test_sizes_have_units(void) {
    read_line("--memory 64m");
    TEST_ASSERT_EQUAL_UINT64(64u << 20, options.memory);
    refuses("--memory M",
            "--memory M: expected a size (a number, then K, M or G), at least 1048576");
    refuses("--memory 99999999999999999999G",
            "--memory 99999999999999999999G: expected a size (a number, then K, M or G), "
            "at least 1048576");
    refuses("--memory 18446744073709551615G",
            "--memory 18446744073709551615G: expected a size (a number, then K, M or G), "
            "at least 1048576");
}

static void test_an_unknown_option_is_answered_with_the_nearest(void) {
    refuses("--sed 4 p", "--sed: no such option; there is --seed (heddle help run)");
    refuses("--execution=4 p",
            "--execution: no such option; there is --executions (heddle help run)");
    refuses("--zzzzzzz p", "--zzzzzzz: no such option (heddle help run)");
    refuses("-z p", "-z: no such option (heddle help run)");
}

static void test_a_missing_value_is_named(void) {
    refuses("--seed", "--seed: N is missing");
    refuses("-o", "--out: FILE is missing");
}

static void test_a_flag_takes_no_value(void) {
    refuses("--json=yes p", "--json=yes: --json takes no value");
    refuses("-qx p", "-qx: --quiet takes no value");
}

static void test_words_are_checked(void) {
    refuses("--isolate frok p",
            "--isolate frok: expected snapshot or fork; did you mean fork?");
    refuses("--observe exit,sdtout p", "--observe sdtout: expected exit, stdout, values "
                                       "or globals; did you mean stdout?");
    refuses("--observe exit, p", "--observe : expected exit, stdout, values or globals");
    refuses("--transactions regoins p",
            "--transactions regoins: no such policy; there is regions");
}

static void test_lists_are_sets(void) {
    read_line("--observe globals,exit,exit");
    TEST_ASSERT_EQUAL_UINT(HD_OBSERVE_EXIT | HD_OBSERVE_GLOBALS, options.observe);
}

static void test_strategies_are_checked_before_anything_runs(void) {
    static const char *const good[] = {
        "dpor", "bounded:2", "bounded:0", "random",      "random:0.2", "pct:3",
        "pct",  "pos",       "surw",      "round-robin", "replay:f",   "portfolio"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        TEST_ASSERT_EQUAL_INT_MESSAGE(0, hd_strategy_check(good[i], &error), good[i]);
    }
    refuses("--strategy ptc p",
            "--strategy ptc: no such strategy; there is pct (heddle list strategies)");
    refuses("--strategy bounded p",
            "--strategy bounded: an argument is missing: bounded:K");
    refuses("--strategy bounded:x p", "--strategy bounded:x: expected a number of "
                                      "preemptions from 0 to 1000 after bounded:");
    refuses("--strategy random:1.5 p",
            "--strategy random:1.5: expected a probability from 0 to 1 after random:");
    refuses("--strategy dpor:3 p", "--strategy dpor:3: dpor takes no argument");
    refuses("--strategy replay: p", "--strategy replay:: expected a file after replay:");
}

static void test_options_of_other_groups_do_not_exist(void) {
    sets[0].groups = HD_GROUP_CHECK | HD_GROUP_TALK;
    TEST_ASSERT_EQUAL_INT(3, read_line("--transactions regions t"));
    refuses("--seed 4 t", "--seed: no such option (heddle help run)");
}

static void test_help_stops_reading(void) {
    TEST_ASSERT_EQUAL_INT(1, read_line("--help --nonsense"));
    TEST_ASSERT_TRUE(help);
}

static void test_help_tells_every_option_with_its_default(void) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    hd_options_help(&usage, out);
    fclose(out);
    for (const struct hd_option *option = hd_common_options; option->name; option++) {
        char name[64];
        snprintf(name, sizeof name, "--%s", option->name);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text, name), name);
    }
    TEST_ASSERT_NOT_NULL(strstr(text, "  -o, --out FILE"));
    TEST_ASSERT_NOT_NULL(strstr(text, "seed of every random choice (default: 1)"));
    free(text);
}

static void test_every_default_is_acceptable_and_every_option_explained(void) {
    for (const struct hd_option *option = hd_common_options; option->name; option++) {
        TEST_ASSERT_NOT_NULL_MESSAGE(option->help, option->name);
        if (option->kind != HD_OPTION_FLAG)
            TEST_ASSERT_NOT_NULL_MESSAGE(option->argument, option->name);
        for (const struct hd_option *other = hd_common_options; other < option; other++) {
            TEST_ASSERT_TRUE_MESSAGE(strcmp(option->name, other->name) != 0,
                                     option->name);
            TEST_ASSERT_TRUE_MESSAGE(!option->letter || option->letter != other->letter,
                                     option->name);
        }
    }
}

static void test_edit_distance_counts_swaps_as_one(void) {
    TEST_ASSERT_EQUAL_UINT(0, hd_edit_distance("pct", "pct"));
    TEST_ASSERT_EQUAL_UINT(1, hd_edit_distance("ptc", "pct"));
    TEST_ASSERT_EQUAL_UINT(3, hd_edit_distance("kitten", "sitting"));
    TEST_ASSERT_EQUAL_UINT(4, hd_edit_distance("", "four"));
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_defaults_are_those_of_the_table);
    RUN_TEST(test_options_of_the_program_are_left_alone);
    RUN_TEST(test_two_dashes_end_the_options);
    RUN_TEST(test_a_value_may_follow_an_equals_sign_or_a_letter);
    RUN_TEST(test_the_last_of_two_counts);
    RUN_TEST(test_mixed_commands_take_options_after_operands);
    RUN_TEST(test_a_lone_dash_is_an_operand);
    RUN_TEST(test_two_dashes_after_operands_hide_what_follows);
    RUN_TEST(test_numbers_are_digits_and_nothing_else);
    RUN_TEST(test_numbers_out_of_range_are_refused);
    RUN_TEST(test_seconds_may_have_a_fraction);
    RUN_TEST(test_sizes_have_units);
    RUN_TEST(test_an_unknown_option_is_answered_with_the_nearest);
    RUN_TEST(test_a_missing_value_is_named);
    RUN_TEST(test_a_flag_takes_no_value);
    RUN_TEST(test_words_are_checked);
    RUN_TEST(test_lists_are_sets);
    RUN_TEST(test_strategies_are_checked_before_anything_runs);
    RUN_TEST(test_options_of_other_groups_do_not_exist);
    RUN_TEST(test_help_stops_reading);
    RUN_TEST(test_help_tells_every_option_with_its_default);
    RUN_TEST(test_every_default_is_acceptable_and_every_option_explained);
    RUN_TEST(test_edit_distance_counts_swaps_as_one);
    return UNITY_END();
}

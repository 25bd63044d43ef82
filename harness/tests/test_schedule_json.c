/* test_schedule_json.c - schedules in both forms, honest and hostile. */
#include "harness/file.h"
#include "harness/schedule.h"

#include "unity.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct hd_error error;
static char folder[64];
static char path[128];

void setUp(void) {
    memset(&error, 0, sizeof error);
    strcpy(folder, "/tmp/hd_schedule.XXXXXX");
    TEST_ASSERT_NOT_NULL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/s", folder);
}
void tearDown(void) {
    unlink(path);
    rmdir(folder);
}

static struct hd_schedule *from(const char *text) {
    size_t size = strlen(text);
    char *copy = malloc(size + 1);
    memcpy(copy, text, size + 1);
    memset(&error, 0, sizeof error);
    struct hd_schedule *schedule = copy[0] == '{' || copy[0] == '['
                                       ? hd_schedule_parse_json(copy, size, "s", &error)
                                       : hd_schedule_parse_plain(copy, size, "s", &error);
    free(copy);
    return schedule;
}

static void refuses(const char *text, const char *message) {
    struct hd_schedule *schedule = from(text);
    TEST_ASSERT_NULL_MESSAGE(schedule, text);
    TEST_ASSERT_EQUAL_STRING(message, error.text);
}

static char *contents(void) {
    size_t size;
    return hd_file_read(path, 1 << 20, &size, NULL);
}

static void test_json_becomes_plain_lines(void) {
    struct hd_schedule *schedule = from(
        "{\"choices\": [[\"0\", 3], [\"0.1\", 12], [\"0\", 1]], \"values\": [2, 0]}");
    TEST_ASSERT_NOT_NULL_MESSAGE(schedule, error.text);
    TEST_ASSERT_EQUAL_UINT32(2, schedule->thread_count);
    TEST_ASSERT_EQUAL_INT(0, hd_schedule_write_plain(schedule, path, &error));
    char *text = contents();
    TEST_ASSERT_EQUAL_STRING("0 3\n0.1 12\n0 1\nvalue 2\nvalue 0\n", text);
    free(text);
    hd_schedule_free(schedule);
}

static void test_plain_lines_become_json(void) {
    struct hd_schedule *schedule = from("0 3\n0.1 12\nvalue 2\n");
    TEST_ASSERT_NOT_NULL_MESSAGE(schedule, error.text);
    TEST_ASSERT_EQUAL_INT(0, hd_schedule_write_json(schedule, path, &error));
    char *text = contents();
    TEST_ASSERT_EQUAL_STRING(
        "{\n  \"choices\": [[\"0\", 3], [\"0.1\", 12]],\n  \"values\": [2]\n}\n", text);
    free(text);
    hd_schedule_free(schedule);
}

static void test_both_forms_are_told_apart_by_content(void) {
    static const char *const forms[] = {"{\"choices\": [[\"0\", 3]], \"values\": []}",
                                        "0 3\n"};
    for (int i = 0; i < 2; i++) {
        FILE *out = fopen(path, "w");
        fputs(forms[i], out);
        fclose(out);
        struct hd_schedule *schedule = hd_schedule_open(path, &error);
        TEST_ASSERT_NOT_NULL_MESSAGE(schedule, error.text);
        TEST_ASSERT_EQUAL_UINT64(3, schedule->steps[0].events);
        hd_schedule_free(schedule);
    }
}

static void test_neighbouring_steps_of_a_thread_are_one(void) {
    struct hd_schedule *schedule = from("0 3\n0 4\n0.1 1\n0 1\n");
    TEST_ASSERT_EQUAL_size_t(3, schedule->step_count);
    TEST_ASSERT_EQUAL_UINT64(7, schedule->steps[0].events);
    hd_schedule_free(schedule);
}

static void test_long_schedules_are_packed_and_come_back_the_same(void) {
    struct hd_schedule *schedule = hd_schedule_new();
    char name[32];
    for (unsigned i = 0; i < 20000; i++) {
        snprintf(name, sizeof name, "0.%u", i % 300 + 1);
        TEST_ASSERT_EQUAL_INT(0, hd_schedule_step(schedule, name, i + 1, &error));
    }
    TEST_ASSERT_EQUAL_INT(0, hd_schedule_write_json(schedule, path, &error));
    struct stat status;
    TEST_ASSERT_EQUAL_INT(0, stat(path, &status));
    TEST_ASSERT_TRUE(status.st_size < 20000 * 20);
    struct hd_schedule *back = hd_schedule_open(path, &error);
    TEST_ASSERT_NOT_NULL_MESSAGE(back, error.text);
    TEST_ASSERT_EQUAL_size_t(schedule->step_count, back->step_count);
    TEST_ASSERT_EQUAL_UINT32(300, back->thread_count);
    for (size_t i = 0; i < schedule->step_count; i++) {
        TEST_ASSERT_EQUAL_UINT32(schedule->steps[i].thread, back->steps[i].thread);
        TEST_ASSERT_EQUAL_UINT64(schedule->steps[i].events, back->steps[i].events);
    }
    hd_schedule_free(back);
    hd_schedule_free(schedule);
}

static void test_values_may_be_left_out(void) {
    struct hd_schedule *schedule = from("{\"choices\": []}");
    TEST_ASSERT_NOT_NULL_MESSAGE(schedule, error.text);
    hd_schedule_free(schedule);
}

static void test_bad_json_is_refused_with_line_and_column(void) {
    refuses("{\"choices\": [[\"0\", 1],\n", "s:2:0: ']' expected near end of file");
    refuses("{\"choices\": [], \"choices\": []}",
            "s:1:25: duplicate object key near '\"choices\"'");
    refuses("[]", "s: expected a schedule, found an array");
}

static void test_bad_parts_are_refused_with_their_place(void) {
    refuses("{\"values\": []}", "s: choices: expected an array, found nothing");
    refuses("{\"choices\": {}}", "s: choices: expected an array, found an object");
    refuses("{\"choices\": [[\"0\", 1], 7]}",
            "s: choices[1]: expected a pair of thread and number of events");
    refuses("{\"choices\": [[\"0\", 1, 2]]}",
            "s: choices[0]: expected a pair of thread and number of events");
    refuses("{\"choices\": [[0, 1]]}",
            "s: choices[0][0]: expected a thread's name, found a number");
    refuses("{\"choices\": [[\"1\", 1]]}",
            "s: choices[0][0]: expected a thread (0, 0.2, 0.2.1), found 1");
    refuses("{\"choices\": [[\"0\", -3]]}",
            "s: choices[0][1]: expected a number of events of at least 1");
    refuses("{\"choices\": [[\"0\", 1.5]]}",
            "s: choices[0][1]: expected a number of events of at least 1");
    refuses("{\"choices\": [], \"values\": [0, -1]}",
            "s: values[1]: expected a number of at least 0");
    refuses("{\"choices\": [], \"extra\": 1}",
            "s: a schedule has choices and values, not \"extra\"");
}

static void test_numbers_too_large_are_refused(void) {
    TEST_ASSERT_NULL(from("{\"choices\": [[\"0\", 99999999999999999999]]}"));
    refuses("{\"choices\": [[\"0\", 9223372036854775807], [\"0\", 1]]}",
            "s: choices[1][0]: more events than there can be");
    refuses("0 18446744073709551615\n", "s:1: expected a number of events of at least 1");
}

static void test_deep_nesting_is_refused_and_does_not_crash(void) {
    size_t depth = 200000;
    char *text = malloc(depth + 1);
    memset(text, '[', depth);
    text[depth] = '\0';
    TEST_ASSERT_NULL(from(text));
    TEST_ASSERT_NOT_NULL(strstr(error.text, "depth"));
    free(text);
}

static void test_bad_lines_are_refused_with_their_number(void) {
    refuses("0 1\nnonsense\n",
            "s:2: expected a thread and a number, or value and a number, found nonsense");
    refuses("0 1\nvalue 2\n0 3\n", "s:3: a thread after the first value");
    refuses("0 0\n", "s:1: expected a number of events of at least 1");
    refuses("0 1\n0.1 5", "s:2: the last line is cut short");
    refuses("0 1 \n",
            "s:1: expected a thread and a number, or value and a number, found 0 1 ");
    refuses("00 1\n", "s:1: expected a thread (0, 0.2, 0.2.1), found 00");
}

static void test_names_of_threads(void) {
    static const char *const bad[] = {"",     "1",   "0.", "0.0", "0.01",        "0..1",
                                      "0.1.", "0.a", "0 ", ".0",  "0.1234567890"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        TEST_ASSERT_FALSE_MESSAGE(hd_thread_name_valid(bad[i]), bad[i]);
    }
    TEST_ASSERT_TRUE(hd_thread_name_valid("0"));
    TEST_ASSERT_TRUE(hd_thread_name_valid("0.10.3"));
}

static void test_any_prefix_and_any_flipped_byte_is_answered(void) {
    static const char good[] =
        "{\"choices\": [[\"0\", 3], [\"0.1\", 12]], \"values\": [2, 0]}";
    char text[sizeof good];
    for (size_t i = 1; i < sizeof good - 1; i++) {
        memcpy(text, good, i);
        memset(&error, 0, sizeof error);
        TEST_ASSERT_NULL(hd_schedule_parse_json(text, i, "s", &error));
        TEST_ASSERT_TRUE(error.text[0]);
    }
    for (size_t i = 0; i < (sizeof good - 1) * 255; i++) {
        memcpy(text, good, sizeof good);
        text[i / 255] = (char)(text[i / 255] ^ (char)(i % 255 + 1));
        memset(&error, 0, sizeof error);
        struct hd_schedule *schedule =
            hd_schedule_parse_json(text, sizeof good - 1, "s", &error);
        TEST_ASSERT_TRUE((schedule != NULL) != (error.text[0] != '\0'));
        hd_schedule_free(schedule);
    }
}

static void test_a_full_disk_is_reported(void) {
    struct hd_schedule *schedule = from("0 1\n");
    TEST_ASSERT_EQUAL_INT(-1, hd_schedule_write_json(schedule, "/dev/full", &error));
    TEST_ASSERT_EQUAL_STRING("cannot write /dev/full: No space left on device",
                             error.text);
    hd_schedule_free(schedule);
}

static void test_no_temporary_file_stays_behind(void) {
    struct hd_file file;
    TEST_ASSERT_EQUAL_INT(0, hd_file_create(&file, path, &error));
    fputs("half", file.stream);
    hd_file_drop(&file);
    TEST_ASSERT_EQUAL_INT(-1, access(path, F_OK));
    TEST_ASSERT_EQUAL_INT(0, rmdir(folder));
    TEST_ASSERT_EQUAL_INT(0, mkdir(folder, 0700));
}

static void test_a_symbolic_link_is_followed(void) {
    char link[140];
    snprintf(link, sizeof link, "%s.link", path);
    FILE *out = fopen(path, "w");
    fclose(out);
    TEST_ASSERT_EQUAL_INT(0, symlink(path, link));
    struct hd_schedule *schedule = from("0 1\n");
    TEST_ASSERT_EQUAL_INT(0, hd_schedule_write_plain(schedule, link, &error));
    char *text = contents();
    TEST_ASSERT_EQUAL_STRING("0 1\n", text);
    free(text);
    unlink(link);
    hd_schedule_free(schedule);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_json_becomes_plain_lines);
    RUN_TEST(test_plain_lines_become_json);
    RUN_TEST(test_both_forms_are_told_apart_by_content);
    RUN_TEST(test_neighbouring_steps_of_a_thread_are_one);
    RUN_TEST(test_long_schedules_are_packed_and_come_back_the_same);
    RUN_TEST(test_values_may_be_left_out);
    RUN_TEST(test_bad_json_is_refused_with_line_and_column);
    RUN_TEST(test_bad_parts_are_refused_with_their_place);
    RUN_TEST(test_numbers_too_large_are_refused);
    RUN_TEST(test_deep_nesting_is_refused_and_does_not_crash);
    RUN_TEST(test_bad_lines_are_refused_with_their_number);
    RUN_TEST(test_names_of_threads);
    RUN_TEST(test_any_prefix_and_any_flipped_byte_is_answered);
    RUN_TEST(test_a_full_disk_is_reported);
    RUN_TEST(test_no_temporary_file_stays_behind);
    RUN_TEST(test_a_symbolic_link_is_followed);
    return UNITY_END();
}

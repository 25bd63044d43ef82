/* test_json_write.c - what is written by hand, read by a library. */
#include "support.h"

#include <jansson.h>
#include <unity.h>

static const char *path;

void setUp(void) { path = temporary("j.trace"); }
void tearDown(void) { remove(path); }

static char *json_of(struct hd_trace *trace) {
    struct hd_error err = {0};
    char *out;
    size_t length;
    FILE *file = open_memstream(&out, &length);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, hd_trace_write_json(trace, file, &err), err.text);
    fclose(file);
    return out;
}

static void test_every_line_is_an_object_and_every_event_has_one(void) {
    for (uint64_t n = 1; n <= 100; n++) {
        struct hd_error err = {0};
        write_random(path, n, 50);
        struct hd_trace *trace = hd_trace_open(path, &err);
        char *text = json_of(trace), *rest = text;
        uint64_t lines = 0;
        for (char *line; (line = strsep(&rest, "\n")) && *line; lines++) {
            json_error_t why;
            json_t *object = json_loads(line, JSON_REJECT_DUPLICATES, &why);
            TEST_ASSERT_TRUE_MESSAGE(object != NULL, line);
            TEST_ASSERT_EQUAL_INT64(lines,
                                    json_integer_value(json_object_get(object, "index")));
            TEST_ASSERT_TRUE(json_is_string(json_object_get(object, "thread")));
            json_decref(object);
        }
        TEST_ASSERT_EQUAL_UINT64(hd_trace_length(trace), lines);
        hd_trace_free(trace);
        free(text);
    }
}

static void test_names_are_resolved_and_escaped(void) {
    struct hd_error err = {0};
    struct hd_trace *trace = hd_trace_parse(
        "T%01 acq a\"b\\ try @x.c:3\nT2 rd \xff\xc3\xa9\xc0\x80 r\n"
        "T2 wait c l\nT2 fork U\nT2 barr B 4\nT2 vrd x relaxed\nT2 fence\n",
        "t", &err);
    TEST_ASSERT_TRUE_MESSAGE(trace != NULL, err.text);
    char *text = json_of(trace);
    TEST_ASSERT_EQUAL_STRING(
        "{\"index\": 0, \"thread\": \"T\\u0001\", \"op\": \"acq\", \"lock\": "
        "\"a\\\"b\\\\\", "
        "\"flags\": [\"try\"], \"file\": \"x.c\", \"line\": 3}\n"
        "{\"index\": 1, \"thread\": \"T2\", \"op\": \"rd\", "
        "\"variable\": \"\\ufffd\xc3\xa9\\ufffd\\ufffd\", \"register\": \"r\"}\n"
        "{\"index\": 2, \"thread\": \"T2\", \"op\": \"wait\", \"condition\": \"c\", "
        "\"lock\": \"l\"}\n"
        "{\"index\": 3, \"thread\": \"T2\", \"op\": \"fork\", \"child\": \"U\"}\n"
        "{\"index\": 4, \"thread\": \"T2\", \"op\": \"barr\", \"barrier\": \"B\", "
        "\"episode\": 4}\n"
        "{\"index\": 5, \"thread\": \"T2\", \"op\": \"vrd\", \"variable\": \"x\", "
        "\"order\": \"relaxed\"}\n"
        "{\"index\": 6, \"thread\": \"T2\", \"op\": \"fence\", \"order\": \"seq_cst\"}\n",
        text);
    free(text);
    hd_trace_free(trace);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_every_line_is_an_object_and_every_event_has_one);
    RUN_TEST(test_names_are_resolved_and_escaped);
    return UNITY_END();
}

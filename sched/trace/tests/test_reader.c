/* test_reader.c - files that lie, and granules by the definition. */
#include "support.h"

#include "sched/trace/decode.h"

#include <unity.h>

static const char *path;
static struct hd_error err;

void setUp(void) {
    path = temporary("r.trace");
    memset(&err, 0, sizeof err);
}

void tearDown(void) { remove(path); }

static void refused(const void *bytes, size_t length, const char *part) {
    spill(path, bytes, length);
    memset(&err, 0, sizeof err);
    TEST_ASSERT_TRUE(hd_trace_open(path, &err) == NULL);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, part), err.text);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, path), err.text);
}

/* A file in the making. */
static unsigned char file[4096];
static size_t used;

static void add(const void *bytes, size_t length) {
    memcpy(file + used, bytes, length);
    used += length;
}

static void start(uint32_t version) {
    struct hd_header header = {.version = version, .event_size = sizeof(struct hd_event)};
    memcpy(header.magic, HD_TRACE_MAGIC, 8);
    used = 0;
    add(&header, sizeof header);
}

static void add_chunk(uint32_t type, uint64_t count, const void *payload,
                      uint64_t bytes) {
    struct hd_chunk chunk = {.type = type, .bytes = bytes, .count = count};
    if (type == HD_CHUNK_DEFINITIONS) chunk.check = hd_format_check(payload, bytes);
    add(&chunk, sizeof chunk);
    if (payload) add(payload, bytes);
}

static void add_thread(uint32_t id) {
    unsigned char record[32] = {HD_TABLE_THREAD}, *at = hd_number_put(record + 1, id);
    memcpy(at, "main", 5);
    add_chunk(HD_CHUNK_DEFINITIONS, 1, record, (uint64_t)(at + 5 - record));
}

static void add_object(uint32_t id) {
    static const uint64_t numbers[8] = {[3] = HD_NO_ID, [4] = HD_NO_ID};
    unsigned char record[128];
    unsigned char *at = hd_record_put(record, HD_TABLE_OBJECT, id, numbers, 8, "", 1, "", 0);
    add_chunk(HD_CHUNK_DEFINITIONS, 1, record, (uint64_t)(at - record));
}

/* Variables of object 0. */
static void add_row(uint32_t first, uint32_t size, uint64_t offset, int64_t step, uint64_t count) {
    const uint64_t numbers[] = {0, size, offset, hd_number_signed(step), count};
    unsigned char record[128];
    unsigned char *at = hd_record_put(record, HD_RECORD_ROW, first, numbers, 5, "", 0, "", 0);
    add_chunk(HD_CHUNK_DEFINITIONS, 1, record, (uint64_t)(at - record));
}

static void add_event(struct hd_event event) {
    static struct hd_coder coder;
    unsigned char bytes[256];
    hd_code_begin(&coder, bytes, sizeof bytes);
    hd_code_new(&coder, 0, &event);
    add_chunk(HD_CHUNK_EVENTS, 1, bytes, (uint64_t)(coder.at - bytes));
}

static void test_another_version_is_told_apart(void) {
    start(7);
    refused(file, used, "byte 8: trace version 7, expected 5");
}

static void test_an_empty_but_whole_trace_is_a_trace(void) {
    start(HD_TRACE_VERSION);
    add_chunk(HD_CHUNK_END, 0, NULL, 0);
    spill(path, file, used);
    struct hd_trace *trace = hd_trace_open(path, &err);
    TEST_ASSERT_TRUE_MESSAGE(trace != NULL, err.text);
    TEST_ASSERT_EQUAL_UINT64(0, hd_trace_length(trace));
    size_t count = 1;
    TEST_ASSERT_TRUE(hd_trace_next(trace, &count, &err) == NULL);
    TEST_ASSERT_EQUAL_UINT64(0, count);
    TEST_ASSERT_EQUAL_STRING("", err.text);
    hd_trace_free(trace);
}

static void test_an_id_that_is_not_dense_is_refused(void) {
    start(HD_TRACE_VERSION);
    add_thread(4000000000u);
    add_chunk(HD_CHUNK_END, 0, NULL, 0);
    refused(file, used, "thread 4000000000, but ids are dense and only 1 are defined");
}

static void test_a_chunk_larger_than_the_file_is_refused(void) {
    start(HD_TRACE_VERSION);
    add_chunk(HD_CHUNK_EVENTS, 1 << 20, NULL, 16 << 20);
    refused(file, used, "the trace was cut short");
    start(HD_TRACE_VERSION);
    add_chunk(HD_CHUNK_EVENTS, UINT64_MAX / 16, NULL, UINT64_MAX - 15);
    refused(file, used, "which do not agree");
    start(HD_TRACE_VERSION);
    add_chunk(HD_CHUNK_EVENTS, 129, "\xff", 1);
    refused(file, used, "which do not agree");
}

static void test_a_row_of_variables_is_all_of_them(void) {
    start(HD_TRACE_VERSION);
    add_object(0);
    add_row(0, 4, 400, -4, 3);
    add_row(3, 2, 8, 0, 1);
    add_row(4, 8, 16, 24, 256);
    add_chunk(HD_CHUNK_END, 0, NULL, 0);
    spill(path, file, used);
    struct hd_trace *t = hd_trace_open(path, &err);
    TEST_ASSERT_TRUE_MESSAGE(t != NULL, err.text);
    TEST_ASSERT_EQUAL_UINT32(260, hd_trace_variables(t));
    static const struct hd_variable wanted[] = {{0, 4, 400, NULL}, {0, 4, 396, NULL},
                                                {0, 4, 392, NULL}, {0, 2, 8, NULL},
                                                {0, 8, 16, NULL},  {0, 8, 40, NULL}};
    for (uint32_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        TEST_ASSERT_EQUAL_UINT32(wanted[i].size, hd_trace_variable(t, i)->size);
        TEST_ASSERT_EQUAL_UINT64(wanted[i].offset, hd_trace_variable(t, i)->offset);
    }
    TEST_ASSERT_EQUAL_UINT64(16 + 255 * 24, hd_trace_variable(t, 259)->offset);
    hd_trace_free(t);
}

static void bad_row(uint32_t first, uint64_t offset, int64_t step, uint64_t count,
                    const char *message) {
    start(HD_TRACE_VERSION);
    add_object(0);
    add_row(first, 8, offset, step, count);
    add_chunk(HD_CHUNK_END, 0, NULL, 0);
    refused(file, used, message);
}

static void test_a_row_that_cannot_be_is_refused(void) {
    bad_row(0, 8, 8, 0, "a row of 0 variables, expected 1 to 256");
    bad_row(0, 8, 8, 257, "a row of 257 variables, expected 1 to 256");
    bad_row(1, 8, 8, 3, "variable 1, but ids are dense and only 3 are defined");
    bad_row(0, 8, -8, 3, "variable 2 has numbers that cannot be");
    bad_row(UINT32_MAX, 8, 8, 3, "variable 4294967295, but ids are dense");
}

static void test_the_end_counts_the_events(void) {
    start(HD_TRACE_VERSION);
    add_thread(0);
    add_event((struct hd_event){HD_NO_ID, HD_NO_ID, HD_NO_ID, 0, HD_YIELD, 0});
    add_chunk(HD_CHUNK_END, 2, NULL, 0);
    refused(file, used, "1 events before the end, expected 2");
}

static void test_events_after_the_end_are_refused(void) {
    start(HD_TRACE_VERSION);
    add_thread(0);
    add_chunk(HD_CHUNK_END, 0, NULL, 0);
    add_event((struct hd_event){HD_NO_ID, HD_NO_ID, HD_NO_ID, 0, HD_YIELD, 0});
    add_chunk(HD_CHUNK_END, 1, NULL, 0);
    refused(file, used, "events after the end");
}

/* Opens, but the event is not handed out. */
static void bad_event(struct hd_event event, const char *message) {
    start(HD_TRACE_VERSION);
    add_thread(0);
    size_t at = used + sizeof(struct hd_chunk);
    add_event(event);
    add_chunk(HD_CHUNK_END, 1, NULL, 0);
    spill(path, file, used);
    memset(&err, 0, sizeof err);
    struct hd_trace *trace = hd_trace_open(path, &err);
    TEST_ASSERT_TRUE_MESSAGE(trace != NULL, err.text);
    size_t count;
    TEST_ASSERT_TRUE(hd_trace_next(trace, &count, &err) == NULL);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, message), err.text);
    TEST_ASSERT_EQUAL_UINT64(at, err.place);
    hd_trace_free(trace);
}

static void test_no_event_with_an_undefined_id_is_handed_out(void) {
    const uint32_t no = HD_NO_ID;
    bad_event((struct hd_event){no, no, no, 0, 0, 0}, "event of kind 0");
    bad_event((struct hd_event){no, no, no, 0, 200, 0}, "event of kind 200");
    bad_event((struct hd_event){no, no, no, 1, HD_YIELD, 0},
              "event of thread 1, 1 are defined");
    bad_event((struct hd_event){no, no, 0, 0, HD_YIELD, 0},
              "event at site 0, 0 are defined");
    bad_event((struct hd_event){0, no, no, 0, HD_READ, 0}, "rd with operands 0 and");
    bad_event((struct hd_event){no, no, no, 0, HD_ACQUIRE, 0}, "acq with operands");
    bad_event((struct hd_event){no, 7, no, 0, HD_FENCE, 0}, "fence with operands");
    bad_event((struct hd_event){1, no, no, 0, HD_FORK, 0}, "fork with operands 1");
    bad_event((struct hd_event){5, no, no, 0, HD_YIELD, 0}, "yield with operands 5");
}

static void test_what_is_whole_of_a_cut_trace_can_be_asked_for(void) {
    write_random(path, 9, 500);
    size_t length;
    char *bytes = slurp(path, &length);
    struct hd_trace *whole = hd_trace_open(path, &err);
    uint64_t events = hd_trace_length(whole);
    hd_trace_free(whole);
    /* the events come first in this file; the definitions are lost */
    uint64_t kept = 500;
    uint64_t left = hd_decode_count((unsigned char *)bytes + 16 + 24, &kept);
    TEST_ASSERT_TRUE(left > 40);
    spill(path, bytes, 16 + 24 + 500);
    TEST_ASSERT_TRUE(hd_trace_open(path, &err) == NULL);
    memset(&err, 0, sizeof err);
    struct hd_trace *part = hd_trace_open_partial(path, &err);
    TEST_ASSERT_TRUE_MESSAGE(part != NULL, err.text);
    TEST_ASSERT_EQUAL_UINT64(left, hd_trace_length(part));
    hd_trace_free(part);
    spill(path, bytes, length - 24); /* only the end is missing */
    part = hd_trace_open_partial(path, &err);
    TEST_ASSERT_EQUAL_UINT64(events, hd_trace_length(part));
    size_t count;
    TEST_ASSERT_TRUE(hd_trace_next(part, &count, &err) != NULL);
    hd_trace_free(part);
    free(bytes);
}

/* ---- granules against the definition ------------------------------------ */

static bool covers(const struct hd_variable *v, uint32_t object, uint64_t byte) {
    uint64_t size = v->size ? v->size : 1;
    return v->object == object && byte >= v->offset && byte < v->offset + size;
}

static void test_variables_share_a_granule_where_they_share_a_byte(void) {
    for (uint64_t n = 1; n <= 300; n++) {
        write_random(path, n, 0);
        struct hd_trace *t = hd_trace_open(path, &err);
        TEST_ASSERT_TRUE_MESSAGE(t != NULL, err.text);
        uint32_t total = hd_trace_variables(t);
        for (uint32_t a = 0; a < total; a++) {
            uint32_t count;
            const struct hd_variable *x = hd_trace_variable(t, a);
            const uint32_t *g = hd_trace_variable_granules(t, a, &count);
            TEST_ASSERT_TRUE(count > 0);
            for (uint32_t i = 1; i < count; i++)
                TEST_ASSERT_TRUE(g[i] > g[i - 1]);
            TEST_ASSERT_TRUE(g[count - 1] < hd_trace_granules(t));
            for (uint32_t b = 0; b < total; b++) {
                uint32_t other;
                const uint32_t *h = hd_trace_variable_granules(t, b, &other);
                bool shared = false, bytes = false;
                for (uint32_t i = 0; i < count; i++) {
                    for (uint32_t j = 0; j < other; j++)
                        shared |= g[i] == h[j];
                }
                for (uint64_t byte = 0; byte < 40; byte++) {
                    bytes |= covers(x, x->object, byte) &&
                             covers(hd_trace_variable(t, b), x->object, byte);
                }
                TEST_ASSERT_EQUAL_INT(bytes, shared);
            }
            /* a granule is called after the smallest variable that has it */
            for (uint32_t i = 0; i < count; i++) {
                uint32_t best = hd_trace_granule_variable(t, g[i]);
                TEST_ASSERT_TRUE(hd_trace_variable(t, best)->size <= x->size);
            }
        }
        hd_trace_free(t);
    }
}

static void test_variables_that_all_overlap_need_little_memory(void) {
    struct hd_trace_writer *w = hd_writer_open(path, &err);
    struct hd_object object = {.site = HD_NO_ID, .module = HD_NO_ID};
    hd_writer_thread(w, 0, "main");
    hd_writer_object(w, 0, &object);
    for (uint32_t i = 0; i < 100000; i++) {
        struct hd_variable v = {.object = 0, .size = 2000000, .offset = i};
        hd_writer_variable(w, i, &v);
    }
    TEST_ASSERT_EQUAL_INT(0, hd_writer_close(w, &err));
    limit_memory(200 << 20);
    struct hd_trace *t = hd_trace_open(path, &err);
    limit_memory(0);
    TEST_ASSERT_TRUE_MESSAGE(t != NULL, err.text);
    TEST_ASSERT_EQUAL_UINT32(199999, hd_trace_granules(t));
    hd_trace_free(t);
}

/* 80 MB of events (as they are handed out) with room for 48 MB. */
static void test_a_trace_larger_than_memory_is_read(void) {
    struct hd_trace_writer *w = hd_writer_open(path, &err);
    struct hd_event event = {HD_NO_ID, HD_NO_ID, HD_NO_ID, 0, HD_YIELD, 0};
    hd_writer_thread(w, 0, "main");
    for (uint32_t i = 0; i < 5000000; i++)
        hd_writer_event(w, &event);
    TEST_ASSERT_EQUAL_INT(0, hd_writer_close(w, &err));
    limit_memory(48 << 20);
    struct hd_trace *t = hd_trace_open(path, &err);
    uint64_t seen = 0;
    size_t count;
    while (t && hd_trace_next(t, &count, &err))
        seen += count;
    limit_memory(0);
    TEST_ASSERT_TRUE_MESSAGE(t != NULL, err.text);
    TEST_ASSERT_EQUAL_STRING("", err.text);
    TEST_ASSERT_EQUAL_UINT64(5000000, seen);
    hd_trace_free(t);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_another_version_is_told_apart);
    RUN_TEST(test_an_empty_but_whole_trace_is_a_trace);
    RUN_TEST(test_an_id_that_is_not_dense_is_refused);
    RUN_TEST(test_a_chunk_larger_than_the_file_is_refused);
    RUN_TEST(test_a_row_of_variables_is_all_of_them);
    RUN_TEST(test_a_row_that_cannot_be_is_refused);
    RUN_TEST(test_the_end_counts_the_events);
    RUN_TEST(test_events_after_the_end_are_refused);
    RUN_TEST(test_no_event_with_an_undefined_id_is_handed_out);
    RUN_TEST(test_what_is_whole_of_a_cut_trace_can_be_asked_for);
    RUN_TEST(test_variables_share_a_granule_where_they_share_a_byte);
    RUN_TEST(test_variables_that_all_overlap_need_little_memory);
    RUN_TEST(test_a_trace_larger_than_memory_is_read);
    return UNITY_END();
}

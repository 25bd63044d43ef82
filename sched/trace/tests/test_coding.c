/* test_coding.c - events that repeat themselves, and those that stop doing so.
 *
 * What comes out must be what went in, whatever was expected; and what does
 * repeat itself must cost next to nothing. */
#include "support.h"

#include "sched/trace/decode.h"

#include <unity.h>

enum { MOST = 200000 };
static struct hd_event in[MOST];
static uint32_t count;
static const char *path;
static struct hd_error err;

void setUp(void) {
    path = temporary("coding.trace");
    memset(&err, 0, sizeof err);
    count = 0;
}
void tearDown(void) { remove(path); }

static void add(uint32_t site, uint16_t thread, uint8_t kind, uint32_t obj) {
    in[count++] = (struct hd_event){obj, HD_NO_ID, site, thread, kind, 0};
}

/* Writes what was added and reads it again, twice; returns the bytes of it. */
static size_t round_trip(void) {
    enum { IDS = 70000, SITES = 10000 };
    struct hd_trace_writer *w = hd_writer_open(path, &err);
    for (uint32_t i = 0; i < count; i++)
        TEST_ASSERT_EQUAL_INT(0, hd_writer_event(w, &in[i]));
    for (uint32_t i = 0; i < 4; i++)
        hd_writer_thread(w, i, NULL);
    struct hd_object object = {.site = HD_NO_ID, .module = HD_NO_ID};
    hd_writer_object(w, 0, &object);
    for (uint32_t i = 0; i < IDS; i++) {
        struct hd_variable v = {.size = 1, .offset = i};
        hd_writer_variable(w, i, &v);
    }
    struct hd_site site = {.module = HD_NO_ID};
    for (uint32_t i = 0; i < SITES; i++)
        hd_writer_site(w, i, &site);
    TEST_ASSERT_EQUAL_INT(0, hd_writer_close(w, &err));

    struct hd_trace *t = hd_trace_open(path, &err);
    TEST_ASSERT_TRUE_MESSAGE(t != NULL, err.text);
    TEST_ASSERT_EQUAL_UINT64(count, hd_trace_length(t));
    for (int round = 0; round < 2; round++) {
        size_t some;
        uint32_t seen = 0;
        for (const struct hd_event *e; (e = hd_trace_next(t, &some, &err)); seen += some) {
            TEST_ASSERT_EQUAL_MEMORY(in + seen, e, some * sizeof *e);
        }
        TEST_ASSERT_EQUAL_STRING("", err.text);
        TEST_ASSERT_EQUAL_UINT32(count, seen);
        hd_trace_rewind(t);
    }
    hd_trace_free(t);

    static struct hd_coder coder;
    static unsigned char bytes[MOST * 32];
    hd_code_begin(&coder, bytes, sizeof bytes);
    for (uint32_t i = 0; i < count; i++) {
        if (!hd_code_expected(&coder, in[i].site, &in[i]) &&
            !hd_code_known(&coder, in[i].site, &in[i])) {
            hd_code_new(&coder, in[i].site, &in[i]);
        }
    }
    hd_code_end_run(&coder);
    TEST_ASSERT_EQUAL_UINT64(count, coder.count);
    uint64_t whole = (uint64_t)(coder.at - bytes);
    TEST_ASSERT_EQUAL_UINT64(count, hd_decode_count(bytes, &whole));
    TEST_ASSERT_EQUAL_UINT64((uint64_t)(coder.at - bytes), whole);
    return whole;
}

static void test_rows_of_a_grid_cost_little(void) {
    for (uint32_t row = 0; row < 250; row++) {
        for (uint32_t column = 0; column < 250; column++) {
            add(1, 0, HD_READ, row * 256 + column);
            add(2, 0, HD_READ, (row + 1) * 256 + column);
            add(3, 0, HD_WRITE, row * 256 + column);
        }
    }
    TEST_ASSERT_TRUE(round_trip() < 250 * 32);
}

static void test_threads_that_take_turns_cost_little(void) {
    for (uint32_t i = 0; i < 20000; i++) {
        for (uint16_t thread = 1; thread < 4; thread++) {
            add(5, thread, HD_READ, 7);
            add(6, thread, HD_WRITE, 7);
        }
    }
    TEST_ASSERT_TRUE(round_trip() < 1100);
}

static void test_a_run_of_any_length_comes_back(void) {
    for (uint32_t length = 1; length < 600; length++) {
        add(length, 0, HD_READ, length);
        for (uint32_t i = 0; i < length; i++)
            add(length, 0, HD_READ, length);
    }
    round_trip();
}

static void test_chance_comes_back(void) {
    for (uint64_t n = 1; n < 6; n++) {
        seed(n);
        count = 0;
        uint32_t sites = n == 1 ? 3 : n == 2 ? 40 : 9000; /* more than there are slots */
        while (count < 50000) {
            uint32_t site = draw(sites), obj = draw(70000), stride = draw(5) - 2;
            for (uint32_t k = draw(40); k > 0 && count < 50000; k--) {
                add(site, (uint16_t)draw(4), draw(2) ? HD_READ : HD_WRITE, obj % 70000);
                obj += draw(9) ? stride : draw(70000);
                if (draw(20) == 0) in[count - 1].flags = (uint8_t)draw(1 << HD_FLAG_COUNT);
            }
        }
        round_trip();
    }
}

static void test_what_is_no_token_is_refused(void) {
    static struct hd_decoder decoder;
    struct hd_event event;
    uint32_t sure;
    static const unsigned char bad[][12] = {
        {0}, {4}, {0x7f}, {HD_CODE_OFF}, {HD_CODE_OFF, 0x80}, {HD_CODE_TURN, 0, 0x10, 0},
        {HD_CODE_OFF, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}, {HD_CODE_TURN, 0, 0},
        {HD_CODE_NEW, 1, 1, 1, 1, 1, 1}};
    static const unsigned char length[] = {1, 1, 1, 1, 2, 4, 8, 3, 12};
    for (size_t i = 0; i < sizeof length; i++) {
        hd_decode_begin(&decoder, NULL);
        const unsigned char *at = bad[i];
        TEST_ASSERT_EQUAL_INT(
            -1, hd_decode_token(&decoder, &at, bad[i] + length[i], &event, 1, &sure));
    }
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_rows_of_a_grid_cost_little);
    RUN_TEST(test_threads_that_take_turns_cost_little);
    RUN_TEST(test_a_run_of_any_length_comes_back);
    RUN_TEST(test_chance_comes_back);
    RUN_TEST(test_what_is_no_token_is_refused);
    return UNITY_END();
}

/* test_damage.c - no file, however broken, does more than fail.
 *
 * A small trace in every form is cut at every length and has its bytes flipped;
 * each time it is read to its end or refused with a message, within a memory of
 * 256 MB (sanitizers need more and get it). test_sanitize.sh runs the same under
 * them. */
#include "support.h"

#include <unity.h>

static const char *path;
static uint64_t good, bad;

void setUp(void) { path = temporary("damage"); }
void tearDown(void) { remove(path); }

static FILE *nowhere;

/* Everything that can be asked of a trace, if it can be opened. */
static void use(const void *bytes, size_t length) {
    struct hd_error err = {0};
    spill(path, bytes, length);
    struct hd_trace *t = hd_trace_open(path, &err);
    if (!t) {
        TEST_ASSERT_TRUE(err.text[0] != 0);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, path), err.text);
        struct hd_error other = {0};
        struct hd_trace *part = hd_trace_open_partial(path, &other);
        size_t count;
        while (part && hd_trace_next(part, &count, NULL)) {
        }
        hd_trace_free(part);
        bad++;
        return;
    }
    int rc = hd_trace_write_text(t, nowhere, &err);
    rc |= hd_trace_write_std(t, nowhere, NULL);
    rc |= hd_trace_write_json(t, nowhere, NULL);
    rewind(nowhere);
    TEST_ASSERT_EQUAL_INT(rc < 0, err.text[0] != 0);
    rc < 0 ? bad++ : good++;
    hd_trace_free(t);
}

static void damage(const char *what, char *bytes, size_t length, size_t stride) {
    good = bad = 0;
    for (size_t cut = 0; cut < length; cut += stride)
        use(bytes, cut);
    for (size_t at = 0; at < length; at += stride) {
        char kept = bytes[at];
        static const unsigned char flips[] = {0x01, 0x80, 0x20};
        for (size_t i = 0; i < sizeof flips; i++) {
            bytes[at] = (char)(kept ^ flips[i]);
            use(bytes, length);
        }
        bytes[at] = kept;
    }
    /* several at once, with values that numbers like to break at */
    static const unsigned char values[] = {0,    1,   0x7f, 0x80, 0xff,
                                           '\n', ' ', '%',  '@',  '='};
    seed(length);
    for (int i = 0; i < 500; i++) {
        char *copy = malloc(length);
        memcpy(copy, bytes, length);
        for (uint32_t k = 1 + draw(6); k > 0; k--) {
            copy[draw((uint32_t)length)] = (char)values[draw(sizeof values)];
        }
        use(copy, length);
        free(copy);
    }
    TEST_ASSERT_TRUE_MESSAGE(bad > 0, what);
}

/* Definitions are guarded by a check, which a hostile file would have right. */
static void damage_and_mend(char *bytes, size_t length) {
    seed(77);
    for (int i = 0; i < 2000; i++) {
        char *copy = malloc(length);
        memcpy(copy, bytes, length);
        size_t at = sizeof(struct hd_header);
        while (at + sizeof(struct hd_chunk) <= length) {
            struct hd_chunk chunk;
            memcpy(&chunk, copy + at, sizeof chunk);
            char *payload = copy + at + sizeof chunk;
            if (chunk.type == HD_CHUNK_DEFINITIONS) {
                for (uint32_t k = 1 + draw(4); k > 0; k--) {
                    uint32_t where = draw((uint32_t)chunk.bytes);
                    payload[where] =
                        (char)(draw(3) ? payload[where] ^ 1 << draw(8) : (int)draw(256));
                }
                chunk.check = hd_format_check(payload, chunk.bytes);
                memcpy(copy + at, &chunk, sizeof chunk);
            }
            at += sizeof chunk + chunk.bytes;
        }
        use(copy, length);
        free(copy);
    }
}

static char *form(int which, size_t *length) {
    struct hd_error err = {0};
    write_random(path, 3, 12);
    if (which == 0) return slurp(path, length);
    struct hd_trace *t = hd_trace_open(path, &err);
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    if (which == 1) hd_trace_write_text(t, out, &err);
    if (which == 2) hd_trace_write_std(t, out, &err);
    fclose(out);
    hd_trace_free(t);
    return text;
}

static void test_a_damaged_binary_trace_is_refused_or_read(void) {
    size_t length;
    char *bytes = form(0, &length);
    damage("binary", bytes, length, 1);
    free(bytes);
}

static void test_a_damaged_trace_with_a_right_check_is_refused_or_read(void) {
    size_t length;
    char *bytes = form(0, &length);
    good = bad = 0;
    damage_and_mend(bytes, length);
    TEST_ASSERT_TRUE(good > 100);
    TEST_ASSERT_TRUE(bad > 100);
    free(bytes);
}

static void test_a_damaged_text_trace_is_refused_or_read(void) {
    size_t length;
    char *bytes = form(1, &length);
    damage("text", bytes, length, 1);
    free(bytes);
}

static void test_a_damaged_std_trace_is_refused_or_read(void) {
    size_t length;
    char *bytes = form(2, &length);
    damage("std", bytes, length, 1);
    free(bytes);
}

static void test_a_binary_trace_cut_anywhere_is_refused(void) {
    size_t length;
    char *bytes = form(0, &length);
    for (size_t cut = 0; cut < length; cut++) {
        struct hd_error err = {0};
        spill(path, bytes, cut);
        TEST_ASSERT_TRUE(hd_trace_open(path, &err) == NULL);
        TEST_ASSERT_NOT_NULL(strstr(err.text, path));
    }
    free(bytes);
}

static void test_a_text_with_a_header_cut_by_a_line_is_refused(void) {
    size_t length;
    char *text = form(1, &length);
    text[length - 1] = 0;
    *strrchr(text, '\n') = 0;
    struct hd_error err = {0};
    TEST_ASSERT_TRUE(hd_trace_parse(text, "t", &err) == NULL);
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err.text, "cut short"), err.text);
    free(text);
}

static void test_all_bytes_repeated_are_no_trace(void) {
    unsigned char junk[2560];
    for (size_t i = 0; i < sizeof junk; i++)
        junk[i] = (unsigned char)i;
    good = bad = 0;
    use(junk, sizeof junk);
    TEST_ASSERT_EQUAL_UINT64(1, bad);
}

int main(void) {
    limit_memory(256 << 20);
    nowhere = fopen("/dev/null", "w");
    UNITY_BEGIN();
    RUN_TEST(test_a_damaged_binary_trace_is_refused_or_read);
    RUN_TEST(test_a_damaged_trace_with_a_right_check_is_refused_or_read);
    RUN_TEST(test_a_damaged_text_trace_is_refused_or_read);
    RUN_TEST(test_a_damaged_std_trace_is_refused_or_read);
    RUN_TEST(test_a_binary_trace_cut_anywhere_is_refused);
    RUN_TEST(test_a_text_with_a_header_cut_by_a_line_is_refused);
    RUN_TEST(test_all_bytes_repeated_are_no_trace);
    int failures = UNITY_END();
    fclose(nowhere);
    return failures;
}

/* test_round_trip.c - one trace, whatever form it takes on the way. */
#include "support.h"

#include <unity.h>

static const char *binary, *again, *readable;

void setUp(void) {
    binary = temporary("a.trace");
    again = temporary("b.trace");
    readable = temporary("c.text");
}

void tearDown(void) {
    remove(binary);
    remove(again);
    remove(readable);
}

static struct hd_trace *open_good(const char *path) {
    struct hd_error err = {0};
    struct hd_trace *trace = hd_trace_open(path, &err);
    TEST_ASSERT_TRUE_MESSAGE(trace != NULL, err.text);
    return trace;
}

typedef int (*write_form)(struct hd_trace *, FILE *, struct hd_error *);

static void write_to(const char *path, struct hd_trace *trace, write_form write) {
    struct hd_error err = {0};
    FILE *out = fopen(path, "w");
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, write(trace, out, &err), err.text);
    fclose(out);
}

/* The binary form of a trace does not depend on the forms it came through. */
static void same_bytes_in_binary(struct hd_trace *a, struct hd_trace *b) {
    struct hd_error err = {0};
    size_t length, other;
    TEST_ASSERT_EQUAL_INT(0, hd_trace_write_binary(a, again, &err));
    char *first = slurp(again, &length);
    TEST_ASSERT_EQUAL_INT(0, hd_trace_write_binary(b, again, &err));
    char *second = slurp(again, &other);
    TEST_ASSERT_EQUAL_UINT64(length, other);
    TEST_ASSERT_TRUE(memcmp(first, second, length) == 0);
    free(first);
    free(second);
}

static void test_binary_to_text_and_back_loses_nothing(void) {
    for (uint64_t n = 1; n <= 400; n++) {
        write_random(binary, n, (uint32_t)(n % 60));
        struct hd_trace *a = open_good(binary);
        write_to(readable, a, hd_trace_write_text);
        struct hd_trace *b = open_good(readable);
        const char *what = differ(a, b);
        char told[64];
        snprintf(told, sizeof told, "trace %d: %s", (int)n, what ? what : "");
        TEST_ASSERT_TRUE_MESSAGE(what == NULL, told);
        same_bytes_in_binary(a, b);
        hd_trace_free(a);
        hd_trace_free(b);
    }
}

static void test_binary_to_binary_is_the_same_trace(void) {
    for (uint64_t n = 1; n <= 50; n++) {
        write_random(binary, n, 3000);
        struct hd_trace *a = open_good(binary);
        struct hd_error err = {0};
        TEST_ASSERT_EQUAL_INT(0, hd_trace_write_binary(a, again, &err));
        struct hd_trace *b = open_good(again);
        TEST_ASSERT_EQUAL_STRING(NULL, differ(a, b));
        hd_trace_free(a);
        hd_trace_free(b);
    }
}

static void test_text_of_a_text_is_the_same_bytes(void) {
    for (uint64_t n = 1; n <= 200; n++) {
        write_random(binary, n, (uint32_t)(n % 60));
        struct hd_trace *a = open_good(binary);
        write_to(readable, a, hd_trace_write_text);
        hd_trace_free(a);
        size_t length, other;
        char *first = slurp(readable, &length);
        struct hd_trace *b = open_good(readable);
        write_to(again, b, hd_trace_write_text);
        hd_trace_free(b);
        char *second = slurp(again, &other);
        TEST_ASSERT_EQUAL_UINT64(length, other);
        TEST_ASSERT_TRUE(memcmp(first, second, length) == 0);
        free(first);
        free(second);
    }
}

/* Plain lines as a person would write them, in no more than their names. */
static void test_what_a_person_wrote_comes_back_as_written(void) {
    static const char *const lines[] = {
        "%s rd x%u",
        "%s wr x%u r%u",
        "%s acq L%u",
        "%s acq L%u read try",
        "%s rel L%u",
        "%s fork U%u",
        "%s join U%u",
        "%s start",
        "%s barr B%u 3",
        "%s bleave B%u 3",
        "%s V s%u",
        "%s P s%u",
        "%s wait c%u l",
        "%s notifyall c%u",
        "%s begin m%u",
        "%s end",
        "%s txb t%u",
        "%s txe",
        "%s enter f%u",
        "%s exit f%u",
        "%s alloc x%u",
        "%s alloc x%u 16",
        "%s free x%u",
        "%s escape x%u",
        "%s mov r%u r%u",
        "%s op r%u r%u r3",
        "%s use r%u",
        "%s vrd x%u",
        "%s vwr x%u release",
        "%s vrmw x%u relaxed failed",
        "%s fence acquire",
        "%s begin",
        "%s begin - deterministic",
        "%s value 4%u 0",
        "%s choose 1 2",
        "%s once o%u try",
        "%s guarded x%u L1",
        "%s requires L%u",
        "%s output s%u 80",
        "%s op r%u",
        "%s use",
        "%s yield",
        "%s wr f:%u",
    };
    char *text = malloc(1 << 16);
    for (uint64_t n = 1; n <= 300; n++) {
        size_t used = 0;
        seed(n);
        for (uint32_t i = 1 + draw(40); i > 0; i--) {
            char thread[8];
            snprintf(thread, sizeof thread, "T%u", draw(5));
            used +=
                (size_t)sprintf(text + used, lines[draw(sizeof lines / sizeof *lines)],
                                thread, draw(4), draw(4));
            if (draw(2)) used += (size_t)sprintf(text + used, " @a.c:%u", 1 + draw(9));
            text[used++] = '\n';
        }
        text[used] = 0;
        struct hd_error err = {0};
        struct hd_trace *a = hd_trace_parse(text, "t", &err);
        TEST_ASSERT_TRUE_MESSAGE(a != NULL, err.text);
        TEST_ASSERT_EQUAL_INT(0, hd_trace_write_binary(a, binary, &err));
        hd_trace_free(a);
        struct hd_trace *b = open_good(binary);
        write_to(readable, b, hd_trace_write_text);
        hd_trace_free(b);
        size_t length;
        char *back = slurp(readable, &length);
        TEST_ASSERT_EQUAL_STRING(text, back);
        free(back);
    }
    free(text);
}

/* The tables shrink to names, but kinds, operands by name and flags survive. */
static void test_std_keeps_events_and_is_stable(void) {
    for (uint64_t n = 1; n <= 300; n++) {
        write_random(binary, n, 1 + (uint32_t)(n % 60));
        struct hd_trace *a = open_good(binary);
        write_to(readable, a, hd_trace_write_std);
        struct hd_trace *b = open_good(readable);
        write_to(again, b, hd_trace_write_std);
        TEST_ASSERT_EQUAL_UINT64(hd_trace_length(a), hd_trace_length(b));
        size_t i = 0, j = 0, left = 0, right = 0;
        const struct hd_event *x = NULL, *y = NULL;
        hd_trace_rewind(a);
        hd_trace_rewind(b);
        for (uint64_t k = 0; k < hd_trace_length(a); k++, i++, j++) {
            if (i == left) x = hd_trace_next(a, &left, NULL), i = 0;
            if (j == right) y = hd_trace_next(b, &right, NULL), j = 0;
            TEST_ASSERT_EQUAL_UINT8(x[i].kind, y[j].kind);
            TEST_ASSERT_EQUAL_UINT8(x[i].flags, y[j].flags);
            TEST_ASSERT_EQUAL_INT(x[i].site == HD_NO_ID, y[j].site == HD_NO_ID);
            enum hd_operand aux = hd_kind_aux(x[i].kind);
            if (aux == HD_OPERAND_NUMBER || aux == HD_OPERAND_ORDER) {
                TEST_ASSERT_EQUAL_UINT32(x[i].aux, y[j].aux);
            }
        }
        hd_trace_free(a);
        hd_trace_free(b);
        size_t length, other;
        char *first = slurp(readable, &length), *second = slurp(again, &other);
        TEST_ASSERT_EQUAL_STRING(first, second);
        free(first);
        free(second);
    }
}

static void test_names_that_are_added_later_count(void) {
    write_random(binary, 5, 20);
    struct hd_trace *a = open_good(binary);
    uint32_t id = hd_trace_labels(a) - 1;
    uint64_t length = hd_trace_length(a);
    struct hd_site site = *hd_trace_site(a, 0);
    struct hd_label label = *hd_trace_label(a, id);
    uint8_t flags = label.flags;
    hd_trace_free(a);
    for (int round = 0; round < 3; round++) {
        struct hd_error err = {0};
        struct hd_trace *before;
        struct hd_trace_writer *w = hd_writer_append(binary, &before, &err);
        TEST_ASSERT_TRUE_MESSAGE(w != NULL, err.text);
        TEST_ASSERT_EQUAL_UINT64(length, hd_trace_length(before));
        hd_trace_free(before);
        char name[16];
        snprintf(name, sizeof name, "deposit%d", round);
        label.name = name;
        site.function = name;
        site.file = NULL; /* leaves what was there */
        hd_writer_label(w, id, &label);
        hd_writer_site(w, 0, &site);
        TEST_ASSERT_EQUAL_INT(0, hd_writer_close(w, &err));
        struct hd_trace *b = open_good(binary);
        TEST_ASSERT_EQUAL_STRING(name, hd_trace_label(b, id)->name);
        TEST_ASSERT_EQUAL_UINT8(flags, hd_trace_label(b, id)->flags);
        TEST_ASSERT_EQUAL_STRING(name, hd_trace_site(b, 0)->function);
        TEST_ASSERT_EQUAL_UINT64(length, hd_trace_length(b));
        hd_trace_free(b);
    }
}

static void test_names_cannot_be_added_to_text_or_together_with_events(void) {
    struct hd_error err = {0};
    spill(readable, "T1 rd x\n", 8);
    struct hd_trace *before;
    TEST_ASSERT_TRUE(hd_writer_append(readable, &before, &err) == NULL);
    TEST_ASSERT_TRUE(before == NULL);
    TEST_ASSERT_NOT_NULL(strstr(err.text, "can only be added to a binary trace"));
    write_random(binary, 5, 20);
    struct hd_error other = {0};
    struct hd_trace_writer *w = hd_writer_append(binary, &before, &other);
    struct hd_event event = {.kind = HD_YIELD};
    TEST_ASSERT_EQUAL_INT(-1, hd_writer_event(w, &event));
    TEST_ASSERT_EQUAL_INT(-1, hd_writer_close(w, &other));
    hd_trace_free(before);
}

static void test_a_full_disk_is_told(void) {
    struct hd_error err = {0};
    struct hd_trace_writer *w = hd_writer_open("/dev/full", &err);
    TEST_ASSERT_TRUE_MESSAGE(w != NULL, err.text);
    struct hd_event event = {.kind = HD_YIELD};
    for (int i = 0; i < 300000; i++)
        hd_writer_event(w, &event);
    TEST_ASSERT_EQUAL_INT(-1, hd_writer_close(w, &err));
    TEST_ASSERT_EQUAL_STRING("cannot write /dev/full: No space left on device", err.text);
    TEST_ASSERT_TRUE(err.cause != 0);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_binary_to_text_and_back_loses_nothing);
    RUN_TEST(test_binary_to_binary_is_the_same_trace);
    RUN_TEST(test_text_of_a_text_is_the_same_bytes);
    RUN_TEST(test_what_a_person_wrote_comes_back_as_written);
    RUN_TEST(test_std_keeps_events_and_is_stable);
    RUN_TEST(test_names_that_are_added_later_count);
    RUN_TEST(test_names_cannot_be_added_to_text_or_together_with_events);
    RUN_TEST(test_a_full_disk_is_told);
    return UNITY_END();
}

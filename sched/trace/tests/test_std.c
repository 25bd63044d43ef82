/* test_std.c - traces of another analyser, and ours for it. */
#include "support.h"

#include <unity.h>

void setUp(void) {}
void tearDown(void) {}

static struct hd_error err;

static struct hd_trace *read_std(const char *text) {
    memset(&err, 0, sizeof err);
    struct hd_trace *trace = hd_trace_parse(text, "s", &err);
    TEST_ASSERT_TRUE_MESSAGE(trace != NULL, err.text);
    return trace;
}

static void becomes(const char *text, const char *std) {
    struct hd_trace *trace = read_std(text);
    char *out;
    size_t length;
    FILE *file = open_memstream(&out, &length);
    TEST_ASSERT_EQUAL_INT(0, hd_trace_write_std(trace, file, &err));
    fclose(file);
    hd_trace_free(trace);
    TEST_ASSERT_EQUAL_STRING(std, out);
    free(out);
}

static void is_as_text(const char *std, const char *text) {
    struct hd_trace *trace = read_std(std);
    char *out;
    size_t length;
    FILE *file = open_memstream(&out, &length);
    TEST_ASSERT_EQUAL_INT(0, hd_trace_write_text(trace, file, &err));
    fclose(file);
    hd_trace_free(trace);
    TEST_ASSERT_EQUAL_STRING(text, out);
    free(out);
}

static void refused(const char *text, const char *message) {
    memset(&err, 0, sizeof err);
    TEST_ASSERT_TRUE(hd_trace_parse(text, "s", &err) == NULL);
    TEST_ASSERT_EQUAL_STRING(message, err.text);
}

static void test_the_events_of_the_analyser_are_understood(void) {
    is_as_text(
        "T0|fork(T1)|7\nT1|acq(L)|8\nT1|r(x)|9\nT1|w(x)|10\nT1|rel(L)|11\nT0|join(T1)|"
        "12\n"
        "T0|begin(3)|13\nT0|end(3)|14\nT0|begin|0\nT0|end|0\nT0|branch|15\n",
        "T0 fork T1 @7\nT1 acq L @8\nT1 rd x @9\nT1 wr x @10\nT1 rel L @11\n"
        "T0 join T1 @12\nT0 begin 3 @13\nT0 end @14\nT0 begin\nT0 end\nT0 use @15\n");
}

static void test_every_event_is_one_line_of_three_fields(void) {
    becomes("T1 rd x r @a.c:3\nT1 acq L read try\nT1 wait c l\nT1 op a b c\nT1 start\n"
            "T1 vwr x release\nT1 vwr x\nT1 begin - deterministic\n",
            "T1|r(x;=r)|a.c:3\nT1|acq(L;read;try)|0\nT1|wait(c;l)|0\nT1|op(a;2)|0\nT1|"
            "arg(b)|0\n"
            "T1|arg(c)|0\nT1|start|0\nT1|vwr(x;release)|0\nT1|vwr(x)|0\n"
            "T1|begin(-;deterministic)|0\n");
}

static void test_names_with_separators_survive(void) {
    becomes("T%7c1 rd f(a;b)|c\nT2 acq read\n",
            "T%7c1|r(f%28a%3bb%29%7cc)|0\nT2|acq(%72ead)|0\n");
    /* another tool does not encode */
    is_as_text("T1|r(Foo.m(Ljava/lang/String;)V)|Foo.java:3\n",
               "T1 rd Foo.m(Ljava/lang/String;)V @Foo.java:3\n");
}

static void test_what_is_wrong_is_told_with_the_line(void) {
    refused("T1|r(x)|1\nT1|r(x)\n",
            "s:2: expected three fields parted by bars, like T1|r(x)|12");
    refused("T1|r(x)|1|2\n",
            "s:1: expected three fields parted by bars, like T1|r(x)|12");
    refused("T1|r(x)|1\nT1|zap(x)|1\n",
            "s:2: `zap` is no event: expected r, w, acq, rel, fork, "
            "join, begin, end or another");
    refused("T1|r(x|1\n", "s:1: `r(x`: expected a `)` at its end");
    refused("T1|r()|1\n", "s:1: `` is no name: it is empty");
    refused("T1|acq|1\n", "s:1: `` is no name: it is empty");
    refused("T1|wait(c)|1\n", "s:1: `wait`: expected two operands, like wait(a;b)");
    refused("T1|start(x)|1\n", "s:1: `start(x)`: expected no operand");
    refused("T1|barr(B;x)|1\n", "s:1: `x`: expected a number of at most 4294967295");
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_the_events_of_the_analyser_are_understood);
    RUN_TEST(test_every_event_is_one_line_of_three_fields);
    RUN_TEST(test_names_with_separators_survive);
    RUN_TEST(test_what_is_wrong_is_told_with_the_line);
    return UNITY_END();
}

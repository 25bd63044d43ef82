/* test_text_read.c - what a person writes is what a checker gets. */
#include "sched/trace/trace.h"

#include <stdlib.h>
#include <string.h>

#include <unity.h>

void setUp(void) {}
void tearDown(void) {}

static struct hd_error err;

static struct hd_trace *read_text(const char *text) {
    memset(&err, 0, sizeof err);
    struct hd_trace *trace = hd_trace_parse(text, "t", &err);
    TEST_ASSERT_TRUE_MESSAGE(trace != NULL, err.text);
    return trace;
}

/* All events of a small trace. */
static const struct hd_event *events(struct hd_trace *trace, size_t wanted) {
    size_t count;
    hd_trace_rewind(trace);
    TEST_ASSERT_EQUAL_UINT64(wanted, hd_trace_length(trace));
    const struct hd_event *e = hd_trace_next(trace, &count, &err);
    TEST_ASSERT_TRUE_MESSAGE(e != NULL, err.text);
    TEST_ASSERT_EQUAL_UINT64(wanted, count);
    return e;
}

static void refused(const char *text, const char *message) {
    memset(&err, 0, sizeof err);
    struct hd_trace *trace = hd_trace_parse(text, "t", &err);
    TEST_ASSERT_TRUE_MESSAGE(trace == NULL, text);
    TEST_ASSERT_EQUAL_STRING(message, err.text);
}

static void test_a_line_is_a_thread_a_word_and_what_it_acts_on(void) {
    struct hd_trace *t = read_text("T1 acq guard @bank.c:19\nT2 rd balance r # a look\n");
    const struct hd_event *e = events(t, 2);
    TEST_ASSERT_EQUAL_UINT8(HD_ACQUIRE, e[0].kind);
    TEST_ASSERT_EQUAL_STRING("T1", hd_trace_thread(t, e[0].thread));
    TEST_ASSERT_EQUAL_STRING("guard", hd_trace_sync(t, e[0].obj)->name);
    TEST_ASSERT_EQUAL_STRING("bank.c", hd_trace_site(t, e[0].site)->file);
    TEST_ASSERT_EQUAL_UINT32(19, hd_trace_site(t, e[0].site)->line);
    TEST_ASSERT_EQUAL_UINT8(HD_READ, e[1].kind);
    TEST_ASSERT_EQUAL_STRING("balance", hd_trace_variable(t, e[1].obj)->name);
    TEST_ASSERT_EQUAL_STRING("r", hd_trace_register(t, e[1].aux));
    TEST_ASSERT_EQUAL_UINT32(HD_NO_ID, e[1].site);
    hd_trace_free(t);
}

static void test_a_barrier_line_is_every_arrival_then_every_departure(void) {
    struct hd_trace *t = read_text("A barr B 4\nA bleave B 4\n* barrier B W0 W1\n");
    const struct hd_event *e = events(t, 6);
    const uint8_t kinds[] = {HD_BARRIER, HD_BARRIER, HD_BLEAVE, HD_BLEAVE};
    const char *who[] = {"W0", "W1", "W0", "W1"};
    for (int i = 0; i < 4; i++) {
        TEST_ASSERT_EQUAL_UINT8(kinds[i], e[2 + i].kind);
        TEST_ASSERT_EQUAL_STRING(who[i], hd_trace_thread(t, e[2 + i].thread));
        TEST_ASSERT_EQUAL_UINT32(5, e[2 + i].aux);
    }
    hd_trace_free(t);
}

static void test_an_alloc_line_may_name_several_objects_and_a_size(void) {
    struct hd_trace *t = read_text("T1 alloc v.count v.data 8 @v.c:1\nT1 wr v.data\n");
    const struct hd_event *e = events(t, 3);
    TEST_ASSERT_EQUAL_UINT8(HD_ALLOC, e[1].kind);
    TEST_ASSERT_EQUAL_UINT32(8, e[0].aux);
    TEST_ASSERT_EQUAL_UINT32(8, e[1].aux);
    TEST_ASSERT_EQUAL_UINT32(e[1].obj, hd_trace_variable(t, e[2].obj)->object);
    TEST_ASSERT_EQUAL_UINT32(0, e[1].site);
    hd_trace_free(t);
}

static void test_registers_of_op_and_use_follow_as_arguments(void) {
    struct hd_trace *t = read_text("T1 op k value cur\nT1 use k\nT1 mov a b\n");
    const struct hd_event *e = events(t, 6);
    TEST_ASSERT_EQUAL_UINT8(HD_OP, e[0].kind);
    TEST_ASSERT_EQUAL_UINT32(2, e[0].aux);
    TEST_ASSERT_EQUAL_UINT8(HD_ARG, e[2].kind);
    TEST_ASSERT_EQUAL_STRING("cur", hd_trace_register(t, e[2].obj));
    TEST_ASSERT_EQUAL_UINT8(HD_USE, e[3].kind);
    TEST_ASSERT_EQUAL_UINT32(1, e[3].aux);
    TEST_ASSERT_EQUAL_STRING("b", hd_trace_register(t, e[5].aux));
    hd_trace_free(t);
}

static void test_orders_and_flags_are_trailing_words(void) {
    struct hd_trace *t =
        read_text("T1 vrd x acquire failed\nT1 vwr x\nT1 acq L read try @a:1\n"
                  "T1 begin - deterministic\nT1 begin\nT1 fence acq_rel\n");
    const struct hd_event *e = events(t, 6);
    TEST_ASSERT_EQUAL_UINT32(HD_ACQUIRE_ORDER, e[0].aux);
    TEST_ASSERT_EQUAL_UINT8(HD_FLAG_FAILED, e[0].flags);
    TEST_ASSERT_EQUAL_UINT32(HD_SEQ_CST, e[1].aux);
    TEST_ASSERT_EQUAL_UINT8(HD_FLAG_READ | HD_FLAG_TRY, e[2].flags);
    TEST_ASSERT_EQUAL_UINT8(HD_FLAG_DETERMINISTIC, e[3].flags);
    TEST_ASSERT_EQUAL_UINT32(HD_NO_ID, e[3].obj);
    TEST_ASSERT_EQUAL_UINT32(HD_NO_ID, e[4].obj);
    TEST_ASSERT_EQUAL_UINT32(HD_ACQ_REL, e[5].aux);
    hd_trace_free(t);
}

static void test_comments_blank_lines_and_a_missing_newline_are_fine(void) {
    struct hd_trace *t =
        read_text("# hello\n\n  \t\r\nT1 rd a#2.next # node\nT1 rd x# so\nT1 end");
    const struct hd_event *e = events(t, 3);
    TEST_ASSERT_EQUAL_STRING("a#2.next", hd_trace_variable(t, e[0].obj)->name);
    TEST_ASSERT_EQUAL_STRING("x", hd_trace_variable(t, e[1].obj)->name);
    hd_trace_free(t);
}

static void test_odd_names_are_percent_encoded(void) {
    struct hd_trace *t =
        read_text("T%201 rd operator%20new%25 @my%20file.c:3\nT2 rd 50%\n");
    const struct hd_event *e = events(t, 2);
    TEST_ASSERT_EQUAL_STRING("T 1", hd_trace_thread(t, e[0].thread));
    TEST_ASSERT_EQUAL_STRING("operator new%", hd_trace_variable(t, e[0].obj)->name);
    TEST_ASSERT_EQUAL_STRING("my file.c", hd_trace_site(t, e[0].site)->file);
    TEST_ASSERT_EQUAL_STRING("50%", hd_trace_variable(t, e[1].obj)->name);
    hd_trace_free(t);
}

static void test_definitions_say_what_events_cannot(void) {
    struct hd_trace *t =
        read_text("heddle-trace 1 events=2\n"
                  "%thread 0\n"
                  "%module prog build=ab12\n"
                  "%site b.c:4 function=push module=prog address=0x40\n"
                  "%object node kind=heap owner=0 nth=3 site=b.c:4 size=16\n"
                  "%variable node.next object=node offset=8 size=8\n"
                  "%variable word object=node offset=12 size=4\n"
                  "%sync L kind=rwlock object=node initial=2\n"
                  "%label f static entry site=b.c:4\n"
                  "0 rd node.next @b.c:4\n0 acq L\n");
    const struct hd_event *e = events(t, 2);
    TEST_ASSERT_EQUAL_UINT32(1, hd_trace_objects(t));
    TEST_ASSERT_EQUAL_UINT8(HD_OBJECT_HEAP, hd_trace_object(t, 0)->kind);
    TEST_ASSERT_EQUAL_UINT32(3, hd_trace_object(t, 0)->nth);
    TEST_ASSERT_EQUAL_STRING("push", hd_trace_site(t, e[0].site)->function);
    TEST_ASSERT_EQUAL_UINT64(0x40, hd_trace_site(t, e[0].site)->address);
    TEST_ASSERT_EQUAL_STRING("ab12", hd_trace_module(t, 0)->build_id);
    TEST_ASSERT_EQUAL_UINT8(HD_SYNC_RWLOCK, hd_trace_sync(t, e[1].obj)->kind);
    TEST_ASSERT_EQUAL_UINT8(HD_LABEL_STATIC | HD_LABEL_ENTRY,
                            hd_trace_label(t, 0)->flags);
    uint32_t count;
    const uint32_t *granules = hd_trace_variable_granules(t, e[0].obj, &count);
    TEST_ASSERT_EQUAL_UINT32(2, count);
    TEST_ASSERT_EQUAL_UINT32(2, hd_trace_granules(t));
    TEST_ASSERT_EQUAL_UINT32(1, hd_trace_granule_variable(t, granules[1]));
    hd_trace_free(t);
}

static void test_what_is_wrong_is_told_with_the_line(void) {
    refused("T1 rd x\nT1 frob x\n",
            "t:2: `frob` is no event: expected rd, wr, acq, rel, fork, "
            "join or another");
    refused("T1\n", "t:1: `T1` alone: expected a thread and an event, like T1 rd x");
    refused("T1 acq\n",
            "t:1: `acq`: expected a lock, condition, barrier or semaphore after `acq`");
    refused("T1 wait c\n",
            "t:1: `wait`: expected a lock, condition, barrier or semaphore after `c`");
    refused("T1 acq L x\n",
            "t:1: `x` after `L`: expected nothing more, or a place like @file.c:12");
    refused("T1 barr B x\n", "t:1: `x`: expected a number of at most 4294967295");
    refused("T1 rd %00\n", "t:1: `%00` is no name: it holds a zero byte");
    refused("heddle-trace 2\n",
            "t:1: `heddle-trace` of version `2`, expected 1; convert it with "
            "the heddle that wrote it");
    refused("heddle-trace 1 events=2\nT1 rd x\n",
            "t:2: the trace was cut short: 1 events, expected 2");
    refused("%variable x colour=red\n", "t:1: `colour` says nothing about a variable");
    refused("%object x kind=blue\n", "t:1: `kind=blue`: no such kind");
    refused("* barrier B\n",
            "t:1: expected `* barrier B T1 T2 ...` with a barrier and threads");
    refused("T1 rd x\001\n",
            "t:1: control byte 0x01 in column 8: neither a binary trace nor a "
            "text one");
    refused("", "t: the file is empty, expected a trace");
    TEST_ASSERT_EQUAL_INT(0, err.cause);
}

static void test_more_threads_than_an_event_can_name_are_refused(void) {
    size_t room = 70000 * 16, used = 0;
    char *text = malloc(room);
    for (int i = 0; i < 66000; i++)
        used += (size_t)snprintf(text + used, 16, "t%d end\n", i);
    memset(&err, 0, sizeof err);
    TEST_ASSERT_TRUE(hd_trace_parse(text, "t", &err) == NULL);
    TEST_ASSERT_EQUAL_STRING(
        "t:65537: thread `t65536`: there are 65536 already, more cannot be", err.text);
    free(text);
}

static void test_a_line_without_end_is_refused_not_swallowed(void) {
    size_t length = 5 << 20;
    char *text = malloc(length + 1);
    memset(text, 'x', length);
    text[length] = 0;
    memset(&err, 0, sizeof err);
    TEST_ASSERT_TRUE(hd_trace_parse(text, "t", &err) == NULL);
    TEST_ASSERT_EQUAL_STRING("t:1: a line of more than 1048576 bytes", err.text);
    free(text);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_a_line_is_a_thread_a_word_and_what_it_acts_on);
    RUN_TEST(test_a_barrier_line_is_every_arrival_then_every_departure);
    RUN_TEST(test_an_alloc_line_may_name_several_objects_and_a_size);
    RUN_TEST(test_registers_of_op_and_use_follow_as_arguments);
    RUN_TEST(test_orders_and_flags_are_trailing_words);
    RUN_TEST(test_comments_blank_lines_and_a_missing_newline_are_fine);
    RUN_TEST(test_odd_names_are_percent_encoded);
    RUN_TEST(test_definitions_say_what_events_cannot);
    RUN_TEST(test_what_is_wrong_is_told_with_the_line);
    RUN_TEST(test_more_threads_than_an_event_can_name_are_refused);
    RUN_TEST(test_a_line_without_end_is_refused_not_swallowed);
    return UNITY_END();
}

/* test_names_apply.c - a trace of addresses gets its names.
 *
 * The trace is made by hand and speaks of this very program: its own variables
 * and functions are what is to be named. */
#define _GNU_SOURCE
#include "harness/names.h"

#include "unity.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct node {
    long value;
    struct node *next;
};

struct {
    int lock[10];
    struct node nodes[4];
} shared_table;

static int private_counter;
static char path[64];
static char program[256];
static uint64_t base;
static const void *allocation;

static int first_module(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size;
    (void)data;
    base = info->dlpi_addr;
    return 1;
}

void setUp(void) {
    strcpy(path, "/tmp/hd_apply.XXXXXX");
    close(mkstemp(path));
    dl_iterate_phdr(first_module, NULL);
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
}
void tearDown(void) { unlink(path); }

static __attribute__((noinline)) void *allocate(size_t size) {
    allocation = __builtin_extract_return_addr(__builtin_return_address(0));
    return malloc(size);
}

static __attribute__((noinline)) struct node *push(void) {
    struct node *made = allocate(sizeof *made);
    made->next = NULL;
    return made;
}

static uint64_t address(const volatile void *at) {
    return (uint64_t)(uintptr_t)at - base;
}

/* Two threads, one module; what each test adds comes after. */
static struct hd_trace_writer *begin(const char *build_id) {
    struct hd_error err = {.place = 0};
    struct hd_trace_writer *writer = hd_writer_open(path, &err);
    TEST_ASSERT_NOT_NULL_MESSAGE(writer, err.text);
    struct hd_module module = {program, build_id};
    hd_writer_thread(writer, 0, "0");
    hd_writer_thread(writer, 1, "0.1");
    hd_writer_module(writer, 0, &module);
    return writer;
}

static struct hd_trace *finish(struct hd_trace_writer *writer, char *note) {
    struct hd_error err = {.place = 0};
    struct hd_event event = {
        .obj = 0, .aux = HD_NO_ID, .site = HD_NO_ID, .kind = HD_READ};
    hd_writer_event(writer, &event);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, hd_writer_close(writer, &err), err.text);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, hd_names_apply(path, note, note ? 256 : 0, &err),
                                  err.text);
    struct hd_trace *trace = hd_trace_open(path, &err);
    TEST_ASSERT_NOT_NULL_MESSAGE(trace, err.text);
    return trace;
}

static void add_global(struct hd_trace_writer *writer, uint32_t id,
                       const volatile void *at, uint64_t size) {
    struct hd_object object = {
        .kind = HD_OBJECT_GLOBAL, .site = HD_NO_ID, .size = size, .address = address(at)};
    hd_writer_object(writer, id, &object);
}

static void test_globals_are_named_with_their_paths(void) {
    struct hd_trace_writer *writer = begin(NULL);
    add_global(writer, 0, &shared_table, sizeof shared_table);
    struct hd_variable variables[] = {
        {0, 8, (uint64_t)offsetof(__typeof__(shared_table), nodes[2].value), NULL},
        {0, 4, 8, NULL},
    };
    struct hd_sync sync = {.kind = HD_SYNC_MUTEX, .object = 0, .offset = 0};
    for (uint32_t i = 0; i < 2; i++)
        hd_writer_variable(writer, i, &variables[i]);
    hd_writer_sync(writer, 0, &sync);
    char note[256];
    struct hd_trace *trace = finish(writer, note);
    TEST_ASSERT_EQUAL_STRING("", note);
    TEST_ASSERT_EQUAL_STRING("shared_table", hd_trace_object(trace, 0)->name);
    TEST_ASSERT_EQUAL_STRING("shared_table.nodes[2].value",
                             hd_trace_variable(trace, 0)->name);
    TEST_ASSERT_EQUAL_STRING("shared_table.lock[2]", hd_trace_variable(trace, 1)->name);
    TEST_ASSERT_EQUAL_UINT32(8, hd_trace_variable(trace, 0)->size);
    TEST_ASSERT_EQUAL_STRING("shared_table.lock[0]", hd_trace_sync(trace, 0)->name);
    TEST_ASSERT_EQUAL_UINT64(1, hd_trace_length(trace));
    hd_trace_free(trace);
}

static void test_one_object_may_be_a_whole_segment(void) {
    struct hd_trace_writer *writer = begin(NULL);
    struct hd_object segment = {
        .kind = HD_OBJECT_GLOBAL, .site = HD_NO_ID, .size = 1 << 20};
    hd_writer_object(writer, 0, &segment);
    struct hd_variable variable = {0, 4, address(&private_counter), NULL};
    hd_writer_variable(writer, 0, &variable);
    struct hd_trace *trace = finish(writer, NULL);
    TEST_ASSERT_EQUAL_STRING("private_counter", hd_trace_variable(trace, 0)->name);
    TEST_ASSERT_NULL(hd_trace_object(trace, 0)->name);
    hd_trace_free(trace);
}

static void test_functions_are_named_and_flagged(void) {
    struct hd_trace_writer *writer = begin(NULL);
    struct hd_site sites[] = {
        {.module = 0, .address = address((const void *)(uintptr_t)push)},
        {.module = 0, .address = address((const void *)(uintptr_t)setUp)},
        {.module = HD_NO_ID},
        {.module = 0, .address = 3},
    };
    for (uint32_t i = 0; i < 4; i++) {
        struct hd_label label = {.site = i, .flags = i == 1 ? HD_LABEL_ENTRY : 0};
        hd_writer_site(writer, i, &sites[i]);
        hd_writer_label(writer, i, &label);
    }
    add_global(writer, 0, &private_counter, 4);
    struct hd_variable variable = {0, 4, 0, NULL};
    hd_writer_variable(writer, 0, &variable);
    struct hd_trace *trace = finish(writer, NULL);
    TEST_ASSERT_EQUAL_STRING("push", hd_trace_site(trace, 0)->function);
    TEST_ASSERT_EQUAL_STRING("harness/tests/test_names_apply.c",
                             hd_trace_site(trace, 0)->file);
    TEST_ASSERT_TRUE(hd_trace_site(trace, 0)->line > 0);
    TEST_ASSERT_EQUAL_STRING("push", hd_trace_label(trace, 0)->name);
    TEST_ASSERT_EQUAL_INT(HD_LABEL_STATIC, hd_trace_label(trace, 0)->flags);
    TEST_ASSERT_EQUAL_STRING("setUp", hd_trace_label(trace, 1)->name);
    TEST_ASSERT_EQUAL_INT(HD_LABEL_ENTRY, hd_trace_label(trace, 1)->flags);
    TEST_ASSERT_NULL(hd_trace_label(trace, 2)->name);
    TEST_ASSERT_NULL(hd_trace_site(trace, 3)->function);
    hd_trace_free(trace);
}

static void test_heap_objects_are_named_by_type_owner_and_count(void) {
    struct hd_trace_writer *writer = begin(NULL);
    free(push());
    struct hd_site site = {.module = 0, .address = address(allocation) - 1};
    hd_writer_site(writer, 0, &site);
    struct hd_object objects[] = {
        {.kind = HD_OBJECT_HEAP,
         .owner = 0,
         .nth = 2,
         .site = 0,
         .size = 16,
         .module = HD_NO_ID},
        {.kind = HD_OBJECT_HEAP,
         .owner = 1,
         .nth = 7,
         .site = 0,
         .size = 16,
         .module = HD_NO_ID},
        {.kind = HD_OBJECT_HEAP,
         .owner = 0,
         .nth = 3,
         .site = 0,
         .size = 13,
         .module = HD_NO_ID},
    };
    for (uint32_t i = 0; i < 3; i++) {
        struct hd_variable variable = {i, 4, 8, NULL};
        hd_writer_object(writer, i, &objects[i]);
        hd_writer_variable(writer, i, &variable);
    }
    struct hd_trace *trace = finish(writer, NULL);
    TEST_ASSERT_EQUAL_STRING("node#2", hd_trace_object(trace, 0)->name);
    TEST_ASSERT_EQUAL_STRING("node#2.next", hd_trace_variable(trace, 0)->name);
    TEST_ASSERT_EQUAL_STRING("node#0.1:7.next", hd_trace_variable(trace, 1)->name);
    TEST_ASSERT_EQUAL_STRING("block#3+8", hd_trace_variable(trace, 2)->name);
    char text[256], wanted[256];
    snprintf(wanted, sizeof wanted,
             "node#2.next (allocated in push, harness/tests/test_names_apply.c:%u)",
             hd_trace_site(trace, 0)->line);
    TEST_ASSERT_EQUAL_STRING(wanted, hd_names_report(trace, 0, text, sizeof text));
    hd_trace_free(trace);
}

static void test_a_program_that_was_built_anew_gives_no_names(void) {
    struct hd_trace_writer *writer = begin("0123");
    add_global(writer, 0, &private_counter, 4);
    struct hd_variable variable = {0, 4, 0, NULL};
    hd_writer_variable(writer, 0, &variable);
    char note[256];
    struct hd_trace *trace = finish(writer, note);
    TEST_ASSERT_NULL(hd_trace_variable(trace, 0)->name);
    TEST_ASSERT_NOT_NULL(strstr(note, "was built anew since the trace was recorded"));
    hd_trace_free(trace);
}

static void test_names_are_given_once(void) {
    struct hd_error err = {.place = 0};
    struct hd_trace_writer *writer = begin(NULL);
    add_global(writer, 0, &private_counter, 4);
    struct hd_variable variable = {0, 4, 0, "own_name"};
    hd_writer_variable(writer, 0, &variable);
    hd_trace_free(finish(writer, NULL));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, hd_names_apply(path, NULL, 0, &err), err.text);
    struct hd_trace *trace = hd_trace_open(path, &err);
    TEST_ASSERT_EQUAL_STRING("own_name", hd_trace_variable(trace, 0)->name);
    TEST_ASSERT_EQUAL_STRING("private_counter", hd_trace_object(trace, 0)->name);
    hd_trace_free(trace);
}

static void test_a_million_variables_are_named(void) {
    enum { MANY = 1000000 };
    struct hd_trace_writer *writer = begin(NULL);
    add_global(writer, 0, &shared_table, sizeof shared_table);
    for (uint32_t i = 0; i < MANY; i++) {
        struct hd_variable variable = {0, 4, 4 * (i % (sizeof shared_table / 4)), NULL};
        hd_writer_variable(writer, i, &variable);
    }
    struct hd_trace *trace = finish(writer, NULL);
    TEST_ASSERT_EQUAL_UINT32(MANY, hd_trace_variables(trace));
    for (uint32_t i = 0; i < MANY; i += 997)
        TEST_ASSERT_NOT_NULL(hd_trace_variable(trace, i)->name);
    hd_trace_free(trace);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_globals_are_named_with_their_paths);
    RUN_TEST(test_one_object_may_be_a_whole_segment);
    RUN_TEST(test_functions_are_named_and_flagged);
    RUN_TEST(test_heap_objects_are_named_by_type_owner_and_count);
    RUN_TEST(test_a_program_that_was_built_anew_gives_no_names);
    RUN_TEST(test_names_are_given_once);
    RUN_TEST(test_a_million_variables_are_named);
    return UNITY_END();
}

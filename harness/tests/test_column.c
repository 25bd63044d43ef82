/* test_column.c - interleavings on a page. */
#include "golden.h"
#include "harness/column.h"

#include <string.h>
#include <unistd.h>

static const char *const threads[] = {"0", "0.1", "0.2"};
static const struct hd_row rows[] = {
    {0, 1, "fork 0.1", NULL, "bank.c", 2, 0, false, 0},
    {1, 4, "acquire guard", NULL, "bank.c", 3, 2, false, 0},
    {1, 5, "read balance = 10", "guard", "bank.c", 4, 0, true, 0},
    {2, 19, "write balance = 20", "guard, a_lock_with_quite_a_long_name", "sub/other.c",
     7, 0, true, 0},
    {1, 22, "write balance", "guard", NULL, 0, 0, false, 0},
};
static char folder[64];

void setUp(void) {
    char path[128];
    strcpy(folder, "/tmp/hd_column.XXXXXX");
    TEST_ASSERT_NOT_NULL(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/bank.c", folder);
    FILE *out = fopen(path, "w");
    fputs("int balance;\n\tpthread_create(&a,\t0,  work, 0);\n    "
          "pthread_mutex_lock(&guard);\n"
          "    int seen = balance; /* gr\xc3\xbc\xc3\x9f"
          "e */",
          out);
    fclose(out);
}

void tearDown(void) {
    char path[128];
    snprintf(path, sizeof path, "%s/bank.c", folder);
    unlink(path);
    rmdir(folder);
}

static char *printed(const struct hd_columns *page, bool with_sources) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct hd_sources *sources = with_sources ? hd_sources_new() : NULL;
    if (sources) hd_sources_folder(sources, folder);
    hd_columns_print(page, sources, out);
    hd_sources_free(sources);
    fclose(out);
    return text;
}

static void test_a_thread_a_column(void) {
    struct hd_columns page = {threads, 3, rows, 5, 120, false, false};
    char *text = printed(&page, true);
    golden("columns.txt", text);
    free(text);
}

static void test_too_many_threads_become_a_list(void) {
    struct hd_columns page = {threads, 3, rows, 5, 60, false, false};
    char *text = printed(&page, true);
    golden("columns_list.txt", text);
    free(text);
}

static void test_no_line_is_wider_than_the_page(void) {
    for (int width = 50; width < 160; width += 7) {
        struct hd_columns page = {threads, 3, rows, 5, width, false, false};
        char *text = printed(&page, true);
        for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
            int wide = 0;
            for (char *at = line; *at; at++)
                wide += ((unsigned char)*at & 0xc0) != 0x80;
            TEST_ASSERT_TRUE_MESSAGE(wide <= width, line);
        }
        free(text);
    }
}

static void test_without_sources_places_remain(void) {
    struct hd_columns page = {threads, 3, rows, 5, 120, false, false};
    char *text = printed(&page, false);
    TEST_ASSERT_NOT_NULL(strstr(text, "| bank.c:4\n"));
    free(text);
}

static void test_marked_rows_stand_out_in_colour(void) {
    struct hd_columns page = {threads, 3, rows, 5, 120, false, true};
    char *text = printed(&page, false);
    TEST_ASSERT_NOT_NULL(strstr(text, "\033[1m* read balance = 10  [guard]\033[0m\n"));
    free(text);
}

static void test_source_lines_are_tidied_and_bounded(void) {
    struct hd_sources *sources = hd_sources_new();
    hd_sources_folder(sources, folder);
    TEST_ASSERT_EQUAL_STRING("pthread_create(&a, 0, work, 0);",
                             hd_source_line(sources, "bank.c", 2));
    TEST_ASSERT_NULL(hd_source_line(sources, "bank.c", 0));
    TEST_ASSERT_NULL(hd_source_line(sources, "bank.c", 5));
    TEST_ASSERT_NULL(hd_source_line(sources, "nowhere.c", 1));
    TEST_ASSERT_NULL(hd_source_line(sources, "-", 1));
    hd_sources_free(sources);
}

static void test_no_threads_and_no_rows_are_no_trouble(void) {
    struct hd_columns page = {threads, 0, rows, 0, 0, false, false};
    char *text = printed(&page, false);
    TEST_ASSERT_EQUAL_STRING("step  \n", text);
    free(text);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_a_thread_a_column);
    RUN_TEST(test_too_many_threads_become_a_list);
    RUN_TEST(test_no_line_is_wider_than_the_page);
    RUN_TEST(test_without_sources_places_remain);
    RUN_TEST(test_marked_rows_stand_out_in_colour);
    RUN_TEST(test_source_lines_are_tidied_and_bounded);
    RUN_TEST(test_no_threads_and_no_rows_are_no_trouble);
    return UNITY_END();
}

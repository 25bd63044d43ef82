/* test_names.c - names out of libraries built in every way there is. */
#define _GNU_SOURCE
#include "harness/names.h"
#include "harness/names_inner.h"
#include "names_fixture.h"

#include "unity.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64];
static char library[96];
static struct hd_module_names *names;
static void *loaded;
static uint64_t base;

void setUp(void) {
    strcpy(folder, "/tmp/hd_names.XXXXXX");
    TEST_ASSERT_NOT_NULL(mkdtemp(folder));
}

static void unload(void) {
    hd_names_close(names);
    if (loaded) dlclose(loaded);
    names = NULL;
    loaded = NULL;
}

void tearDown(void) {
    char command[128];
    unload();
    snprintf(command, sizeof command, "rm -rf %s", folder);
    TEST_ASSERT_EQUAL_INT(0, system(command));
}

/* A new name each time, or the dynamic linker would hand out the old one. */
static void build(const char *compiler, const char *sources, const char *after) {
    static int number;
    char command[512];
    unload();
    snprintf(library, sizeof library, "%s/lib%d.so", folder, number++);
    snprintf(command, sizeof command, "cd harness/tests && %s -fPIC -shared %s -o %s%s%s",
             compiler, sources, library, *after ? " && cd / && " : "", after);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, system(command), command);
}

static void load(void) {
    struct hd_error err = {.place = 0};
    struct link_map *map;
    loaded = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    TEST_ASSERT_NOT_NULL_MESSAGE(loaded, dlerror());
    TEST_ASSERT_EQUAL_INT(0, dlinfo(loaded, RTLD_DI_LINKMAP, &map));
    base = map->l_addr;
    names = hd_names_open(library, &err);
    TEST_ASSERT_NOT_NULL_MESSAGE(names, err.text);
}

static void *symbol(const char *name) {
    void *at = dlsym(loaded, name);
    TEST_ASSERT_NOT_NULL_MESSAGE(at, name);
    return at;
}

static const char *data_at(const volatile void *at, size_t size) {
    static char text[256];
    strcpy(text, "(nothing)");
    hd_names_data(names, (uint64_t)(uintptr_t)at - base, size, text, sizeof text);
    return text;
}

static void check_data(void) {
    const struct data_probe *(*data_probes)(size_t *) =
        (const struct data_probe *(*)(size_t *))symbol("data_probes");
    size_t count;
    const struct data_probe *probe = data_probes(&count);
    TEST_ASSERT_TRUE(count > 3);
    for (; count--; probe++)
        TEST_ASSERT_EQUAL_STRING(probe->name, data_at(probe->at, probe->size));
}

static void check_code(const char *file) {
    const struct code_probe *(*code_probes)(size_t *) =
        (const struct code_probe *(*)(size_t *))symbol("code_probes");
    size_t count;
    const struct code_probe *probe = code_probes(&count);
    TEST_ASSERT_TRUE(count >= 1);
    for (; count--; probe++) {
        struct hd_code_name code;
        TEST_ASSERT_TRUE(
            hd_names_code(names, (uint64_t)(uintptr_t)probe->after - base - 1, &code));
        TEST_ASSERT_EQUAL_STRING(probe->function, code.function);
        TEST_ASSERT_EQUAL_STRING(probe->outer, code.outer);
        TEST_ASSERT_EQUAL_STRING(file, code.file);
        TEST_ASSERT_EQUAL_INT(probe->line, code.line);
        TEST_ASSERT_EQUAL_INT(probe->internal, code.internal);
    }
}

static void whole(const char *compiler, const char *source) {
    build(compiler, source, "");
    load();
    check_data();
    check_code(source);
}

static void test_gcc_dwarf_5(void) { whole("gcc -g -gdwarf-5 -O0", "names_fixture.c"); }
static void test_gcc_dwarf_5_optimised(void) {
    whole("gcc -g -gdwarf-5 -O2", "names_fixture.c");
}
static void test_gcc_dwarf_4(void) { whole("gcc -g -gdwarf-4 -O2", "names_fixture.c"); }
static void test_gcc_dwarf_3(void) {
    whole("gcc -g -gdwarf-3 -gstrict-dwarf -O0", "names_fixture.c");
}
static void test_gcc_type_units(void) {
    whole("gcc -g -gdwarf-4 -fdebug-types-section -O1", "names_fixture.c");
}
static void test_gcc_compressed(void) { whole("gcc -g -gz -O1", "names_fixture.c"); }
static void test_gcc_cpp(void) { whole("g++ -g -O1", "names_fixture.cc"); }

static bool clang(void) { return system("command -v clang > /dev/null") == 0; }

static void test_clang_dwarf_5(void) {
    if (!clang()) TEST_IGNORE_MESSAGE("no clang here");
    whole("clang -g -gdwarf-5 -O0", "names_fixture.c");
}
static void test_clang_dwarf_4(void) {
    if (!clang()) TEST_IGNORE_MESSAGE("no clang here");
    whole("clang -g -gdwarf-4 -O0", "names_fixture.c");
}
static void test_clang_cpp(void) {
    if (!clang()) TEST_IGNORE_MESSAGE("no clang here");
    whole("clang++ -g -O0", "names_fixture.cc");
}

static void test_split_debug_information(void) {
    build("gcc -g -gsplit-dwarf -O1", "names_fixture.c", "");
    load();
    check_code("names_fixture.c");
    unload();
    TEST_ASSERT_EQUAL_INT(0, system("rm -f harness/tests/*.dwo"));
}

static void test_without_debug_information_the_symbols_name(void) {
    build("gcc -O1", "names_fixture.c", "");
    load();
    char *table = symbol("table");
    TEST_ASSERT_EQUAL_STRING("plain", data_at(symbol("plain"), 4));
    TEST_ASSERT_EQUAL_STRING("table+44", data_at(table + 44, 4));
    struct hd_code_name code;
    uint64_t at = (uint64_t)(uintptr_t)symbol("outermost") - base;
    TEST_ASSERT_TRUE(hd_names_code(names, at + 1, &code));
    TEST_ASSERT_EQUAL_STRING("outermost", code.function);
    TEST_ASSERT_NULL(code.file);
    TEST_ASSERT_FALSE(code.internal);
}

static void test_stripped_the_dynamic_symbols_name(void) {
    build("gcc -g -O1", "names_fixture.c", "");
    char command[128];
    snprintf(command, sizeof command, "strip %s", library);
    TEST_ASSERT_EQUAL_INT(0, system(command));
    load();
    TEST_ASSERT_EQUAL_STRING("plain", data_at(symbol("plain"), 4));
}

static void test_statics_of_one_name_are_told_apart_by_file(void) {
    build("gcc -g -O0", "names_fixture.c names_other.c", "");
    load();
    const void *(*other)(void) = (const void *(*)(void))symbol("other_private");
    TEST_ASSERT_EQUAL_STRING("names_other.c:private_one", data_at(other(), 8));
    TEST_ASSERT_EQUAL_STRING("plain", data_at(symbol("plain"), 4));
}

static void test_addresses_outside_have_no_name(void) {
    build("gcc -g -O0", "names_fixture.c", "");
    load();
    struct hd_code_name code;
    char text[64];
    TEST_ASSERT_FALSE(hd_names_code(names, 1, &code));
    TEST_ASSERT_FALSE(hd_names_code(names, UINT64_MAX, &code));
    TEST_ASSERT_FALSE(hd_names_data(names, 1, 4, text, sizeof text));
    TEST_ASSERT_FALSE(hd_names_data(names, UINT64_MAX, 4, text, sizeof text));
}

static void test_a_long_path_is_cut_to_the_room_there_is(void) {
    build("gcc -g -O0", "names_fixture.c", "");
    load();
    char text[8];
    char *table = symbol("table");
    TEST_ASSERT_TRUE(hd_names_data(names, (uint64_t)(uintptr_t)table - base + 48, 4, text,
                                   sizeof text));
    TEST_ASSERT_EQUAL_STRING("table.s", text);
}

static void test_an_allocation_is_named_after_what_points_to_it(void) {
    build("gcc -g -O1 -fno-optimize-sibling-calls", "names_fixture.c", "");
    load();
    void *(*one)(void) = (void *(*)(void))symbol("allocate_one");
    void *(*buffer)(size_t) = (void *(*)(size_t))symbol("allocate_buffer");
    const void **after = symbol("alloc_after");
    free(one());
    uint64_t at = (uint64_t)(uintptr_t)after[0] - base - 1;
    uint32_t type = hd_names_allocated(names, at, 0, 24);
    TEST_ASSERT_TRUE(type != 0);
    TEST_ASSERT_EQUAL_STRING("slot", hd_names_type(names, type));
    char text[64];
    hd_names_inside(names, type, 24, 16, 8, text, sizeof text);
    TEST_ASSERT_EQUAL_STRING(".next", text);
    hd_names_inside(names, type, 240, 2 * 24 + 4, 1, text, sizeof text);
    TEST_ASSERT_EQUAL_STRING("[2].key[0]", text);
    TEST_ASSERT_EQUAL_UINT32(0, hd_names_allocated(names, at, 0, 25));
    free(buffer(24));
    TEST_ASSERT_EQUAL_UINT32(
        0, hd_names_allocated(names, (uint64_t)(uintptr_t)after[0] - base - 1, 0, 24));
}

static void test_brackets_in_messages_become_names(void) {
    build("gcc -g -O0", "names_fixture.c", "");
    load();
    struct hd_name_book *book = hd_book_new();
    const char *tail = strrchr(library, '/') + 1;
    char text[256], out[256];
    hd_book_add(book, library);
    snprintf(text, sizeof text, "write to [&%s+0x%lx] and [&%s+0x1] in [other+0x1] [",
             tail, (unsigned long)((uintptr_t)symbol("plain") - base), tail);
    hd_book_text(book, text, out, sizeof out);
    snprintf(text, sizeof text, "write to plain and [&%s+0x1] in [other+0x1] [", tail);
    TEST_ASSERT_EQUAL_STRING(text, out);
    hd_book_text(book, "a long text", out, 7);
    TEST_ASSERT_EQUAL_STRING("a long", out);
    hd_book_free(book);
}

static void test_what_is_not_elf_is_refused(void) {
    struct hd_error err = {.place = 0};
    TEST_ASSERT_NULL(hd_names_open("harness/tests/test_names.c", &err));
    TEST_ASSERT_EQUAL_STRING("harness/tests/test_names.c: not an ELF file", err.text);
    memset(&err, 0, sizeof err);
    TEST_ASSERT_NULL(hd_names_open("nowhere", &err));
    TEST_ASSERT_EQUAL_STRING("cannot open nowhere: No such file or directory", err.text);
}

static void test_mangled_names(void) {
    static const char *const cases[][2] = {
        {"_ZN5Queue4pushEi", "Queue::push"},
        {"_Z4workPv", "work"},
        {"_ZNK1a1b1cEv", "a::b::c"},
        {"_ZN5QueueC2Ev", "Queue::Queue"},
        {"_ZN5QueueD1Ev", "Queue::~Queue"},
        {"_ZNSt6thread4joinEv", "std::thread::join"},
        {"_ZL5local", "local"},
        {"_ZN12_GLOBAL__N_11xE", "(anonymous)::x"},
        {"plain", NULL},
        {"_Z", NULL},
        {"_ZN", NULL},
        {"_ZN99shortE", NULL},
        {"_ZN3fooIiE3barEv", NULL},
        {"_ZN99999999999999999999xE", NULL},
    };
    char text[64];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool understood = hd_demangle(cases[i][0], text, sizeof text);
        TEST_ASSERT_EQUAL_INT_MESSAGE(cases[i][1] != NULL, understood, cases[i][0]);
        if (understood) TEST_ASSERT_EQUAL_STRING(cases[i][1], text);
    }
    TEST_ASSERT_FALSE(hd_demangle("_ZN5Queue4pushEi", text, 8));
}

/* Flip bytes of the debug information: any answer will do, a crash will not. */
static void test_broken_files_do_no_harm(void) {
    build("gcc -g -O1", "names_fixture.c", "");
    FILE *in = fopen(library, "r");
    static char bytes[1 << 17], broken[1 << 17];
    size_t size = fread(bytes, 1, sizeof bytes, in);
    fclose(in);
    char path[96];
    snprintf(path, sizeof path, "%s/broken", folder);
    unsigned seed = 1;
    for (int round = 0; round < 150; round++) {
        memcpy(broken, bytes, size);
        for (int i = 0; i < 40; i++) {
            seed = seed * 1103515245 + 12345;
            size_t at = (seed >> 4) % size;
            seed = seed * 1103515245 + 12345;
            broken[at] = (char)(seed >> 16);
        }
        FILE *out = fopen(path, "w");
        fwrite(broken, 1, round % 10 == 9 ? size / 2 : size, out);
        fclose(out);
        struct hd_module_names *bad = hd_names_open(path, NULL);
        if (!bad) continue;
        char text[64];
        struct hd_code_name code;
        for (uint64_t at = 0x1000; at < 0x5000; at += 64) {
            hd_names_code(bad, at, &code);
            hd_names_data(bad, at, 4, text, sizeof text);
            hd_names_allocated(bad, at, 0, 24);
        }
        hd_names_close(bad);
    }
    TEST_ASSERT_TRUE(size > 1000 && size < sizeof bytes);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_gcc_dwarf_5);
    RUN_TEST(test_gcc_dwarf_5_optimised);
    RUN_TEST(test_gcc_dwarf_4);
    RUN_TEST(test_gcc_dwarf_3);
    RUN_TEST(test_gcc_type_units);
    RUN_TEST(test_gcc_compressed);
    RUN_TEST(test_gcc_cpp);
    RUN_TEST(test_clang_dwarf_5);
    RUN_TEST(test_clang_dwarf_4);
    RUN_TEST(test_clang_cpp);
    RUN_TEST(test_split_debug_information);
    RUN_TEST(test_without_debug_information_the_symbols_name);
    RUN_TEST(test_stripped_the_dynamic_symbols_name);
    RUN_TEST(test_statics_of_one_name_are_told_apart_by_file);
    RUN_TEST(test_addresses_outside_have_no_name);
    RUN_TEST(test_a_long_path_is_cut_to_the_room_there_is);
    RUN_TEST(test_an_allocation_is_named_after_what_points_to_it);
    RUN_TEST(test_brackets_in_messages_become_names);
    RUN_TEST(test_what_is_not_elf_is_refused);
    RUN_TEST(test_mangled_names);
    RUN_TEST(test_broken_files_do_no_harm);
    return UNITY_END();
}

/* test_velodrome_odd.c - velodrome and determinism on traces that make no sense, in
 * too little memory, and with more threads than a word has bits. */
#include "checkers/run.h"
#include "checkers/tests/oracle.h"

#include "unity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static const char *const lists[] = {"velodrome", "velodrome:lock-edges=boundary",
                                    "velodrome:cut=off", "determinism",
                                    "determinism:filter=races"};
enum { LISTS = sizeof lists / sizeof *lists };

static char text[1 << 20];

/* The number of warnings, or -1 and why not. */
static int check(const char *checkers, size_t memory, struct hd_error *err) {
    struct hd_check_options options = {
        .checkers = checkers, .transactions = "annotated", .memory = memory};
    struct hd_report *report = NULL;
    struct hd_trace *trace = hd_trace_parse(text, "odd", err);
    TEST_ASSERT_NOT_NULL_MESSAGE(trace, err->text);
    int found = -1;
    if (hd_check(trace, &options, &report, err) == 0) found = (int)hd_report_count(report);
    hd_report_free(report);
    hd_trace_free(trace);
    return found;
}

/* Any events of any threads in any order. */
static void noise(struct hd_oracle_rng *rng, uint32_t events) {
    static const char *const forms[] = {
        "rd x%u",      "wr x%u",     "vrmw x%u",    "acq m%u",     "rel m%u",   "acq m%u read",
        "fork T%u",    "join T%u",   "start",       "stop",        "V s%u",     "P s%u",
        "wait c%u m0", "wake c%u m0", "notify c%u", "notifyall c%u", "begin f%u", "end",
        "txb t%u",     "txe",        "enter g%u",   "exit g%u",    "once o%u",  "once o%u try",
        "barr b%u 0",  "bleave b%u 0", "barr b%u 1", "bleave b%u 1", "rd x%u",  "wr x%u"};
    uint32_t used = 0;
    for (uint32_t i = 0; i < events; i++) {
        used += (uint32_t)sprintf(text + used, "T%u ", hd_oracle_below(rng, 6));
        used += (uint32_t)sprintf(text + used,
                                  forms[hd_oracle_below(rng, sizeof forms / sizeof *forms)],
                                  hd_oracle_below(rng, 4));
        text[used++] = '\n';
    }
    text[used] = 0;
}

static void test_noise_is_survived(void) {
    struct hd_oracle_rng rng = {1};
    for (int n = 0; n < 1500; n++) {
        noise(&rng, 20 + hd_oracle_below(&rng, 200));
        for (int i = 0; i < LISTS; i++) {
            struct hd_error err = {.text = ""};
            TEST_ASSERT_MESSAGE(check(lists[i], 0, &err) >= 0, err.text);
        }
    }
}

static void test_too_little_memory_is_an_error(void) {
    struct hd_oracle_rng rng = {2};
    noise(&rng, 2000);
    for (int i = 0; i < LISTS; i++) {
        bool failed = false, passed = false;
        for (size_t memory = 1000; memory < (16 << 20); memory += memory / 8) {
            struct hd_error err = {.text = ""};
            int found = check(lists[i], memory, &err);
            TEST_ASSERT_TRUE(found >= 0 || strstr(err.text, "memory"));
            if (found < 0) failed = true;
            else passed = true;
        }
        TEST_ASSERT_TRUE(failed && passed);
    }
}

/* All threads are in transactions at once; each reads what the next one writes, and
 * the last one closes the circle. */
static void ring(uint32_t threads, bool close) {
    uint32_t used = 0;
    for (uint32_t t = 0; t < threads; t++) {
        used += (uint32_t)sprintf(text + used, "T%u begin f%u\n", t, t);
    }
    for (uint32_t t = 0; t < threads; t++) {
        used += (uint32_t)sprintf(text + used, "T%u wr x%u\n", t, t);
        uint32_t next = (t + 1) % threads;
        if (next || close) used += (uint32_t)sprintf(text + used, "T%u rd x%u\n", next, t);
    }
    for (uint32_t t = 0; t < threads; t++) {
        used += (uint32_t)sprintf(text + used, "T%u end\n", t);
    }
}

static void test_a_ring_of_many_threads(void) {
    static const uint32_t sizes[] = {2, 3, 8, 9, 63, 64, 65, 130, 1000};
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
        for (int i = 0; i < LISTS; i++) {
            struct hd_error err = {.text = ""};
            ring(sizes[n], false);
            TEST_ASSERT_EQUAL_INT(0, check(lists[i], 0, &err));
            ring(sizes[n], true);
            TEST_ASSERT_GREATER_THAN(0, check(lists[i], 0, &err));
        }
    }
}

int main(void) {
    setenv("TMPDIR", "/dev/shm", 0);
    UNITY_BEGIN();
    RUN_TEST(test_noise_is_survived);
    RUN_TEST(test_too_little_memory_is_an_error);
    RUN_TEST(test_a_ring_of_many_threads);
    return UNITY_END();
}

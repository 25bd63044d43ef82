/* test_front_wanted.c - what is passed over changes nothing that is said.
 *
 * A checker that asks for contended accesses alone gets less of the trace, or little
 * more than its synchronisation; beside one that wants everything it gets it all.
 * Warnings and notes must be the same, whatever the trace. */
#include "checkers/run.h"
#include "checkers/tests/cut.h"
#include "checkers/tests/line.h"
#include "checkers/tests/oracle.h"

#include "unity.h"

#include <stdlib.h>
#include <string.h>

void setUp(void) {}
void tearDown(void) {}

static char alone[1 << 16], together[1 << 16];
static uint32_t silent; /* sets without a warning */

/* `guards` has nothing to say without annotations, and looks at all accesses. */
static void say(const char *text, const char *checkers, const char *policy, char *out) {
    struct hd_error err = {.text = ""};
    struct hd_check_options options = {.checkers = checkers, .transactions = policy};
    struct hd_report *report = NULL;
    struct hd_trace *trace = hd_trace_parse(text, "test", &err);
    TEST_ASSERT_NOT_NULL_MESSAGE(trace, err.text);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, hd_check(trace, &options, &report, &err), err.text);
    out[0] = '\0';
    for (uint32_t i = 0; i < hd_report_count(report); i++) {
        char line[2048];
        hd_line(report, hd_report_warning(report, i), line, sizeof line);
        hd_line_add(out, sizeof alone, line, "\n");
    }
    for (uint32_t i = 0; i < hd_report_notes(report); i++) {
        hd_line_add(out, sizeof alone, "note: ", hd_report_note(report, i));
    }
    silent += hd_report_count(report) == 0;
    hd_report_free(report);
    hd_trace_free(trace);
}

static void compare(const char *text, const char *policy) {
    say(text, "blocks", policy, alone);
    say(text, "blocks,guards", policy, together);
    TEST_ASSERT_EQUAL_STRING_MESSAGE(together, alone, text);
}

static uint32_t sets(uint32_t usual) { return getenv("SOAK") ? usual * 20 : usual; }

static const char *const policies[] = {"default", "annotated", "functions", "regions"};

static void test_of_traces_that_make_no_sense(void) {
    uint64_t seed = 7;
    for (uint32_t n = 0; n < sets(4000); n++) {
        char text[4096];
        hd_cut_mix(&seed, 1 + (int)(n % 40), text, sizeof text);
        compare(text, policies[n % 4]);
    }
    TEST_ASSERT_TRUE_MESSAGE(silent > sets(4000), "nothing is left out, or nothing is said");
}

static void test_of_runs_of_small_programs(void) {
    struct hd_oracle_rng rng = {3};
    struct hd_oracle_shape shape = {.threads = 3,
                                    .txns = 3,
                                    .accesses = 3,
                                    .outside = 30,
                                    .variables = 5,
                                    .locks = 2,
                                    .guarded = 50,
                                    .writes = 40,
                                    .locking = HD_ORACLE_NESTED,
                                    .forks = 60,
                                    .joins = 80,
                                    .barriers = 1};
    static struct hd_oracle_case it;
    static struct hd_oracle_run run;
    static char text[1 << 15];
    for (uint32_t n = 0; n < sets(4000); n++) {
        hd_oracle_make(&it, &shape, &rng);
        hd_oracle_run_random(&it, &rng, &run);
        if (hd_oracle_text(&it, &run, text, sizeof text)) compare(text, policies[n % 4]);
    }
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_of_traces_that_make_no_sense);
    RUN_TEST(test_of_runs_of_small_programs);
    return UNITY_END();
}

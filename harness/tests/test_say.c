/* test_say.c - what a person reads, word for word. */
#include "golden.h"
#include "harness/say.h"

#include <string.h>

static struct hd_verdicts *doc;

void setUp(void) { doc = hd_verdicts_new(); }
void tearDown(void) { hd_verdicts_free(doc); }

static struct hd_schedule *some_schedule(void) {
    struct hd_schedule *schedule = hd_schedule_new();
    hd_schedule_step(schedule, "0", 5, NULL);
    return schedule;
}

static struct hd_verdict_warning *warn(const char *kind, enum hd_verdict verdict,
                                       enum hd_impact impact, const char *reason) {
    static const char *checkers[] = {"blocks", "reduction"};
    struct hd_verdict_warning *warning = hd_verdicts_warning(doc);
    warning->kind = kind;
    warning->checkers = checkers;
    warning->checker_count = 2;
    warning->accesses = hd_verdicts_array(doc, 4, sizeof *warning->accesses);
    warning->verdict = verdict;
    warning->impact = impact;
    warning->evidence.reason = reason;
    warning->evidence.executions = 3;
    if (verdict == HD_UNDECIDED) warning->evidence.distinct_traces = 2;
    warning->evidence.exhaustive = verdict == HD_REFUTED;
    if (verdict == HD_CONFIRMED) warning->evidence.schedule = some_schedule();
    return warning;
}

static void access_of(struct hd_verdict_warning *warning, const char *thread,
                      const char *op, const char *variable, uint32_t line, bool held) {
    static const char *locks[] = {"guard", "other"};
    warning->accesses[warning->access_count++] = (struct hd_verdict_access){
        thread, op, variable, {"deposit", "bank.c", line}, locks, held ? 2 : 0};
}

static void fill(void) {
    doc->seed = 7;
    doc->budget = 5000;
    doc->executions = 214;
    doc->ended_by = "executions";
    struct hd_verdict_failure *failure = hd_verdicts_failure(doc);
    failure->kind = HD_FAILURE_ASSERTION;
    failure->message = "total == 20";
    failure->location = (struct hd_place){"main", "bank.c", 40};
    failure->executions = 3;
    failure->schedule = some_schedule();
    failure->warning = "W00000";

    struct hd_verdict_warning *w = warn("deadlock", HD_UNDECIDED, HD_IMPACT_NONE,
                                        "0.2 never reached bank.c:40 while 0.1 held a");
    access_of(w, "0.1", "acquire", "a", 38, false);
    access_of(w, "0.1", "acquire", "b", 39, true);
    access_of(w, "0.2", "acquire", "b", 40, false);
    w = warn("atomicity", HD_REFUTED, HD_IMPACT_NONE,
             "the search was complete; no execution lets another write in between");
    w->has_transaction = true;
    w->transaction.function = "withdraw";
    access_of(w, "0.1", "read", "balance", 21, true);
    w = warn("race", HD_CONFIRMED, HD_BENIGN, "both orders give the same outcome");
    access_of(w, "0.1", "read", "hits", 50, false);
    access_of(w, "0.2", "write", "hits", 51, false);
    w = warn("atomicity", HD_CONFIRMED, HD_HARMFUL, "no serial order gives 10");
    w->has_transaction = true;
    w->transaction.function = "deposit";
    access_of(w, "0.1", "read", "balance", 21, true);
    access_of(w, "0.2", "write", "balance", 27, true);
    access_of(w, "0.1", "write", "balance", 27, false);
    w = warn("high-level-race", HD_CONFIRMED, HD_IMPACT_NONE,
             "it happened and was observed");
    access_of(w, "0.1", "read", "x", 60, true);
    access_of(w, "0.1", "read", "y", 61, true);
    hd_verdicts_note(doc,
                     "files that the program wrote are not undone between executions");
    hd_verdicts_finish(doc);
}

static char *said(struct hd_say *say) {
    char *text = NULL;
    size_t size;
    say->out = open_memstream(&text, &size);
    hd_say_verdicts(say, doc);
    fclose(say->out);
    return text;
}

static void test_a_summary_says_what_where_and_what_to_type_next(void) {
    struct hd_say say = {.file = "results/bank.json", .command = "test ./bank 4"};
    fill();
    char *text = said(&say);
    golden("say.txt", text);
    TEST_ASSERT_NULL(strchr(text, '\033'));
    free(text);
}

static void test_what_the_baseline_knows_is_marked(void) {
    struct hd_say say = {.baseline = doc};
    fill();
    char *text = said(&say);
    TEST_ASSERT_NOT_NULL(strstr(text, "assertion: total == 20 (known)\n"));
    TEST_ASSERT_NOT_NULL(strstr(text, "(blocks, reduction) (known)\n"));
    TEST_ASSERT_NULL(strstr(text, "heddle replay"));
    free(text);
}

static void test_colour_is_for_the_headline_only(void) {
    struct hd_say say = {.color = true};
    fill();
    char *text = said(&say);
    TEST_ASSERT_NOT_NULL(
        strstr(text, "\033[31;1mconfirmed harmful:\033[0m deposit is not atomic"));
    free(text);
}

static void test_a_pipe_gets_no_colour(void) {
    FILE *file = tmpfile();
    TEST_ASSERT_FALSE(hd_say_color(file, false));
    fclose(file);
}

static void test_a_terminal_does_not_obey_the_program(void) {
    struct hd_say say = {.color = false};
    hd_verdicts_failure(doc)->message = "before\033[2Jafter\n";
    hd_verdicts_finish(doc);
    char *text = said(&say);
    TEST_ASSERT_NOT_NULL(strstr(text, "assertion: before?[2Jafter?\n"));
    free(text);
}

static void test_a_clean_run_is_one_line(void) {
    struct hd_say say = {.file = NULL};
    doc->seed = 1;
    doc->executions = 1;
    doc->exhausted = true;
    hd_verdicts_finish(doc);
    char *text = said(&say);
    TEST_ASSERT_EQUAL_STRING(
        "heddle: 0 failures; 0 harmful, 0 benign, 0 refuted, 0 undecided; "
        "1 execution, search complete; seed 1\n",
        text);
    free(text);
}

int main(void) {
    UNITY_BEGIN();
    RUN_TEST(test_a_summary_says_what_where_and_what_to_type_next);
    RUN_TEST(test_what_the_baseline_knows_is_marked);
    RUN_TEST(test_colour_is_for_the_headline_only);
    RUN_TEST(test_a_pipe_gets_no_colour);
    RUN_TEST(test_a_terminal_does_not_obey_the_program);
    RUN_TEST(test_a_clean_run_is_one_line);
    return UNITY_END();
}

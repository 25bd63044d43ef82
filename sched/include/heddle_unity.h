/* heddle_unity.h - Unity tests whose schedules are explored.
 *
 * Include it after unity.h (or unity_fixture.h). Each RUN_TEST then runs its test
 * (setUp, the test, tearDown) many times, each time under another schedule and
 * from the same state, in a process of its own. A failed assertion in any
 * thread, a crash, a deadlock in any of them is that test's failure; the line
 * after it is the command that runs that schedule again. All that Unity prints
 * and counts is Unity's own.
 *
 *   HEDDLE_TEST_OPTIONS("executions=5000 milliseconds=10000 strategy=pct:3");
 *
 * before a RUN_TEST is for that one test. HEDDLE_OPTIONS in the environment is
 * for all, and stronger. HEDDLE_TEST=NAME runs only that test.
 *
 * Compiled by a plain compiler this header changes nothing. */
#ifndef HEDDLE_UNITY_H
#define HEDDLE_UNITY_H

#ifndef UNITY_FRAMEWORK_H
#error "include unity.h before heddle_unity.h"
#endif

#include "heddle_test.h"

#ifndef __HEDDLE__

#define HEDDLE_TEST_OPTIONS(words) ((void)(words))

#else

#define HEDDLE_TEST_OPTIONS(words) ((void)(heddle_unity_words_ = (words)))

/* By this the heddle command knows that there are tests to ask for. */
static const char heddle_unity_section_[]
    __attribute__((section("heddle_tests"), used)) = "unity";

#ifndef UNITY_EXCLUDE_SETJMP_H
#define HEDDLE_UNITY_FRAME_ Unity.AbortFrame
#else
#define HEDDLE_UNITY_FRAME_ 0
#endif

/* Unity's words, as it prints them. */
#ifdef UNITY_OUTPUT_COLOR
#define HEDDLE_UNITY_FAIL_ ":\033[41mFAIL"
#define HEDDLE_UNITY_PASS_ ":\033[42mPASS\033[00m"
#else
#define HEDDLE_UNITY_FAIL_ ":FAIL"
#define HEDDLE_UNITY_PASS_ ":PASS"
#endif

enum { HEDDLE_UNITY_COUNTED_ = 4, HEDDLE_UNITY_CONCLUDED_ = 8 };

struct heddle_unity_ {
    UnityTestFunction func;
    const char *name;
    int line;
    void (*conclude)(void);
    const char *lead;
    UNITY_COUNTER_TYPE tests, failures, ignores; /* before */
#ifdef UNITY_FIXTURE_H_
    UnityTestFunction setup, teardown;
    const char *group, *short_name, *file;
#endif
};

static const char *heddle_unity_words_;

static int __attribute__((unused)) heddle_unity_answer_(const struct heddle_unity_ *self) {
    return (Unity.TestFailures != self->failures ? HEDDLE_FAILED_ : 0) |
           (Unity.TestIgnores != self->ignores ? HEDDLE_IGNORED_ : 0) |
           (Unity.NumberOfTests != self->tests ? HEDDLE_UNITY_COUNTED_ : 0) |
           HEDDLE_UNITY_CONCLUDED_;
}

/* A thread that is not the test's own left by TEST_ABORT. */
static int __attribute__((unused)) heddle_unity_left_(void *argument) {
    const struct heddle_unity_ *self = (const struct heddle_unity_ *)argument;
    self->conclude();
    return heddle_unity_answer_(self);
}

/* "deadlock: thread 0 locks ..." */
static void __attribute__((unused)) heddle_unity_message_(char *to, unsigned size,
                                                          const struct heddle_result *result) {
    const char *parts[3];
    unsigned used = 0, i;
    parts[0] = result->kind ? result->kind : "cannot";
    parts[1] = ": ";
    parts[2] = result->message ? result->message : "it did not come to its end";
    for (i = 0; i < 3; i++) {
        const char *c;
        for (c = parts[i]; *c && used + 1 < size; c++) to[used++] = *c;
    }
    to[used] = 0;
}

/* Does a line end so? The line's end, or NULL. */
static const char *__attribute__((unused)) heddle_unity_ends_(const char *line, const char *name) {
    static const char pass[] = HEDDLE_UNITY_PASS_;
    const char *end = line, *from;
    unsigned length = 0, i;
    while (name[length]) length++;
    while (*end && *end != '\n') end++;
    if (end - line < (long)(length + sizeof pass) || *end != '\n') return 0;
    from = end - (length + sizeof pass);
    if (*from++ != ':') return 0;
    for (i = 0; i < length; i++) {
        if (*from++ != name[i]) return 0;
    }
    for (i = 0; pass[i]; i++) {
        if (*from++ != pass[i]) return 0;
    }
    return end + 1;
}

/* Is the word in it? */
static int __attribute__((unused)) heddle_unity_says_(const char *text, const char *word) {
    unsigned i;
    for (; text && *text; text++) {
        for (i = 0; word[i] && text[i] == word[i]; i++) {
        }
        if (!word[i]) return 1;
    }
    return 0;
}

/* A thread may fail when Unity has called the test passed: one line is for one test. */
static void __attribute__((unused)) heddle_unity_output_(const char *name,
                                                         const struct heddle_result *result) {
    const char *c = result->output, *end;
    while (c && *c) {
        end = result->failures ? heddle_unity_ends_(c, name) : 0;
        if (end) {
            c = end;
            continue;
        }
        while (*c && *c != '\n') UNITY_OUTPUT_CHAR(*c++);
        if (*c) UNITY_OUTPUT_CHAR(*c++);
    }
}

static void __attribute__((unused)) heddle_unity_explore_(struct heddle_unity_ *self,
                                                          int (*run)(void *),
                                                          void (*plainly)(void *)) {
    struct heddle_test_ test = {self->name, run, heddle_unity_left_, self, heddle_unity_words_,
                                HEDDLE_UNITY_FAIL_, self->lead, HEDDLE_UNITY_FRAME_};
    char message[1200];
    struct heddle_result result;
    const char *c;
    heddle_unity_words_ = 0;
    self->tests = Unity.NumberOfTests;
    self->failures = Unity.TestFailures;
    self->ignores = Unity.TestIgnores;
    switch (heddle_test_(&test, &result)) {
    case HEDDLE_SKIPPED_: return;
    case HEDDLE_INLINE_: plainly(self); return;
    default: break;
    }
    heddle_unity_output_(self->name, &result);
    if ((result.answer & HEDDLE_FAILED_) && !heddle_unity_says_(result.output, HEDDLE_UNITY_FAIL_)) {
        result.answer = 0; /* Unity's line went elsewhere: the test has closed standard output */
    }
    if (result.answer & HEDDLE_UNITY_CONCLUDED_) {
        if (result.answer & HEDDLE_UNITY_COUNTED_) Unity.NumberOfTests++;
        if (result.answer & HEDDLE_IGNORED_) Unity.TestIgnores++;
        if (result.answer & HEDDLE_FAILED_) Unity.TestFailures++;
    }
    if (!(result.answer & HEDDLE_UNITY_CONCLUDED_)) { /* it did not come to Unity's end */
        Unity.CurrentTestName = self->name;
        Unity.CurrentTestLineNumber = (UNITY_LINE_TYPE)self->line;
        Unity.NumberOfTests++;
        UNITY_CLR_DETAILS();
        heddle_unity_message_(message, sizeof message, &result);
        if (TEST_PROTECT()) UnityFail(message, (UNITY_LINE_TYPE)self->line);
        self->conclude();
    }
    if (result.again) {
        for (c = result.again; *c; c++) UNITY_OUTPUT_CHAR(*c);
        UNITY_PRINT_EOL();
    }
    UNITY_FLUSH_CALL();
}

/* ---- RUN_TEST ------------------------------------------------------------------ */

static void __attribute__((unused)) heddle_unity_plainly_(void *argument) {
    const struct heddle_unity_ *self = (const struct heddle_unity_ *)argument;
#ifndef UNITY_SKIP_DEFAULT_RUNNER
    UnityDefaultTestRun(self->func, self->name, self->line);
#else
    Unity.CurrentTestName = self->name;
    Unity.CurrentTestLineNumber = (UNITY_LINE_TYPE)self->line;
    Unity.NumberOfTests++;
    UNITY_CLR_DETAILS();
    if (TEST_PROTECT()) {
        setUp();
        self->func();
    }
    if (TEST_PROTECT()) tearDown();
    UnityConcludeTest();
#endif
}

static int __attribute__((unused)) heddle_unity_run_(void *argument) {
    heddle_unity_plainly_(argument);
    return heddle_unity_answer_((const struct heddle_unity_ *)argument);
}

static void __attribute__((unused)) heddle_unity_test_(UnityTestFunction func, const char *name,
                                                       int line) {
    struct heddle_unity_ self = {0};
    self.func = func;
    self.name = name;
    self.line = line;
    self.conclude = UnityConcludeTest;
#ifdef UNITY_USE_COMMAND_LINE_ARGS
    Unity.CurrentTestName = name;
    if (!UnityTestMatches()) return;
#endif
    heddle_unity_explore_(&self, heddle_unity_run_, heddle_unity_plainly_);
}

/* RUN_TEST(function) or RUN_TEST(function, line), as Unity has it. */
#undef RUN_TEST
#define RUN_TEST(...) HEDDLE_RUN_TEST_AT_(__VA_ARGS__, __LINE__, throwaway)
#define HEDDLE_RUN_TEST_AT_(func, line, ...) heddle_unity_test_(func, #func, line)

/* ---- unity_fixture: TEST(group, name) ------------------------------------------- */

#ifdef UNITY_FIXTURE_H_
#include <string.h>

static void __attribute__((unused)) heddle_unity_fixture_plainly_(void *argument) {
    const struct heddle_unity_ *self = (const struct heddle_unity_ *)argument;
    UnityTestRunner(self->setup, self->func, self->teardown, self->name, self->group,
                    self->short_name, self->file, (unsigned)self->line);
}

static int __attribute__((unused)) heddle_unity_fixture_run_(void *argument) {
    heddle_unity_fixture_plainly_(argument);
    return heddle_unity_answer_((const struct heddle_unity_ *)argument);
}

static void __attribute__((unused))
heddle_unity_fixture_(UnityTestFunction setup, UnityTestFunction func, UnityTestFunction teardown,
                      const char *name, const char *group, const char *short_name,
                      const char *file, unsigned line) {
    struct heddle_unity_ self = {0};
    if (UnityFixture.NameFilter && !strstr(short_name, UnityFixture.NameFilter)) return;
    if (UnityFixture.GroupFilter && !strstr(group, UnityFixture.GroupFilter)) return;
    self.func = func;
    self.name = name;
    self.line = (int)line;
    self.conclude = UnityConcludeFixtureTest;
    self.lead = UnityFixture.Verbose ? name : ".";
    self.setup = setup;
    self.teardown = teardown;
    self.group = group;
    self.short_name = short_name;
    self.file = file;
    Unity.TestFile = file;
    heddle_unity_explore_(&self, heddle_unity_fixture_run_, heddle_unity_fixture_plainly_);
}
#define UnityTestRunner heddle_unity_fixture_

#endif

#endif

#endif

/* library_side.c - checkers on the side of a test that passed.
 *
 * The heddle command tests this test, as it would a program (HEDDLE_TEST). Two
 * things may come of it. A failure that the exploration had not met: its schedule is
 * followed here once more, and if the test fails under it, that is the failure. A
 * warning that is confirmed as harmful: the test fails with that as its message.
 *
 * Harm is a failure, or an outcome that no serial execution has. Where every schedule
 * was seen and all of them ended alike there is neither, and nobody need be asked. */
#include "library.h"

#include "run.h"

#include <stdio.h>
#include <unistd.h>

#define HARMFUL "confirmed harmful"
#define EVENTS 2000000 /* that checkers are to read, of all executions: a second or two */
#define FEW 4          /* executions are not worth the while */

static bool wanted(const struct hd_config *config, const struct heddle_result *result) {
    if (!config->warnings || config->executions < 2 || result->threads < 2) return false;
    if (result->answer & HEDDLE_IGNORED_) return false;
    return !result->exhausted || hd_library->endings > 1;
}

/* Our own environment, but for HEDDLE_TEST. */
static char **environment_for(const char *name) {
    size_t count = 0, to = 0;
    while (hd_rt->envp[count]) count++;
    char **list = hd_lasting((count + 2) * sizeof *list);
    for (size_t i = 0; i < count; i++) {
        if (strncmp(hd_rt->envp[i], "HEDDLE_TEST=", 12) != 0) list[to++] = hd_rt->envp[i];
    }
    char *choice = hd_lasting(strlen(name) + 13);
    snprintf(choice, strlen(name) + 13, "HEDDLE_TEST=%s", name);
    list[to] = choice;
    return list;
}

/* A tenth of the test's executions, all of them if its outcomes differ; not more than
 * have EVENTS events. 0: that would be too few to learn anything. */
static uint64_t share_of(const struct hd_config *config, const struct heddle_result *result) {
    uint64_t share = hd_library->endings > 1 ? config->executions : (config->executions + 9) / 10;
    uint64_t each = result->executions ? hd_library->events / result->executions : 0;
    uint64_t most = EVENTS / (each ? each : 1);
    return most < FEW ? 0 : share < most ? share : most;
}

static int ask(const struct heddle_test_ *test, const struct hd_config *config, uint64_t share,
               char *schedule, size_t size, char *text, size_t room) {
    char seed[24], steps[24], executions[24], seconds[32], verdicts[512];
    uint64_t time = config->milliseconds ? (config->milliseconds + 1) / 2 : 60000;
    hd_library_file(test, "schedule", schedule, size);
    hd_library_file(test, "json", verdicts, sizeof verdicts);
    snprintf(seed, sizeof seed, "%lu", config->seed);
    snprintf(steps, sizeof steps, "%lu", config->steps);
    snprintf(executions, sizeof executions, "%lu", share);
    snprintf(seconds, sizeof seconds, "%lu.%03lu", time / 1000, time % 1000);
    char **words = hd_lasting(((size_t)hd_rt->argc + 20) * sizeof *words);
    size_t n = 0;
    const char *const given[] = {"heddle", "test",    "--brief",      "--quiet",  "--jobs",
                                 "1",      "--seed",  seed,           "--steps",  steps,
                                 "--time", seconds,   "--executions", executions, "--schedule",
                                 schedule, "-o",      verdicts};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) words[n++] = (char *)(uintptr_t)given[i];
    if (config->spurious) words[n++] = "--spurious-wakeups";
    words[n++] = hd_library_program();
    for (int i = 1; i < hd_rt->argc; i++) words[n++] = hd_rt->argv[i];
    return hd_library_ask(words, environment_for(test->name), text, room);
}

/* Nobody could be asked: told once, whatever the number of tests. */
static void tell(const char *why) {
    if (hd_library->side_told || hd_rt->config.quiet) return;
    hd_library->side_told = true;
    hd_say("checkers did not run on the side of these tests: %s (HEDDLE_OPTIONS=warnings=off: "
           "they need not)", why);
}

/* The test fails under this schedule, here, too? */
static bool again(const struct heddle_test_ *test, const struct hd_config *config, char *frame,
                  const char *schedule, struct heddle_result *result) {
    struct hd_config once = *config;
    struct heddle_result seen = {0};
    once.executions = 1;
    snprintf(once.strategy, sizeof once.strategy, "replay:%s", schedule);
    hd_library->text = NULL; /* `result` points into it */
    hd_library->room = 0;
    if (hd_library_apart(test, &once, frame, &seen) != HEDDLE_DONE_ || !seen.kind) return false;
    *result = seen;
    return true;
}

/* What the framework printed last is its word on the test, which has become wrong. */
static void without_verdict(const char *mark, struct heddle_result *result) {
    result->answer = 0;
    if (!mark || !result->output || !*result->output) return; /* all of it is the program's */
    char *text = (char *)(uintptr_t)result->output;
    size_t length = strlen(text);
    if (text[length - 1] == '\n') length--;
    while (length && text[length - 1] != '\n') length--;
    text[length] = '\0';
}

/* "confirmed harmful: ..." and, if it could be kept, the command that shows it. */
static void take_warning(const char *mark, char *text, struct heddle_result *result) {
    char *message = text + strlen(HARMFUL) + 2, *next = message + strcspn(message, "\n");
    const char *command = hd_library_command();
    without_verdict(mark, result);
    result->failures = 1;
    result->kind = HARMFUL;
    result->message = message;
    if (!*next) return;
    *next++ = '\0';
    next[strcspn(next, "\n")] = '\0';
    if (strncmp(next, "heddle ", 7) != 0) return;
    size_t size = strlen(command) + strlen(next);
    char *line = hd_lasting(size);
    snprintf(line, size, "%s%s", command, next + 6);
    result->again = line;
}

void hd_library_side(const struct heddle_test_ *test, const struct hd_config *config, char *frame,
                     struct heddle_result *result) {
    enum { ROOM = 8192 };
    char schedule[512];
    if (!wanted(config, result)) return;
    hd_library_command();
    if (!hd_library->has_command) {
        tell("there is no heddle command, neither where it was nor in PATH; HEDDLE=PATH says where");
        return;
    }
    uint64_t share = share_of(config, result);
    if (share == 0) {
        hd_library->large++;
        return;
    }
    char *text = hd_lasting(ROOM);
    int status = ask(test, config, share, schedule, sizeof schedule, text, ROOM);
    if (strncmp(text, HARMFUL ": ", strlen(HARMFUL) + 2) == 0) {
        take_warning(test->mark, text, result);
    } else if (text[0] && !again(test, config, frame, schedule, result)) {
        text[strcspn(text, "\n")] = '\0';
        hd_say("%s: heddle test saw what does not happen here: %s", test->name, text);
    } else if (!text[0] && status != 0) {
        tell("heddle test could not");
    }
}

/* library.c - heddle_explore, and what a unit test's framework calls.
 *
 * What happens to a test depends on who started the program:
 *
 *     by itself              fork; the child explores, the parent reads what came of it
 *     HEDDLE_TEST=NAME       the same for that one, the others are skipped
 *     HEDDLE_TEST=NAME and a schedule to follow, or the heddle command
 *                            right here: options, trace and result are the test's;
 *                            to the command a test is a program like any other
 *     the heddle command     the whole program is one execution: just run it
 *
 * HEDDLE_TEST=? tells the names of all tests and runs none. */
#include "library.h"

#include "descriptors.h"
#include "options.h"
#include "pthread/kernel.h"
#include "run.h"

#define __HEDDLE__ 1 /* the declarations, not their absence */
#include "include/heddle.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define SEEN __attribute__((visibility("default"), noinline))
#define LEAST 65536 /* that must be left below */

static const char *environment(const char *name) {
    size_t length = strlen(name);
    for (char **at = hd_rt->envp; at && *at; at++) {
        if (strncmp(*at, name, length) == 0 && (*at)[length] == '=') return *at + length + 1;
    }
    return NULL;
}

static struct hd_library_state *state(void) {
    if (!hd_library) hd_library = hd_lasting(sizeof *hd_library);
    return hd_library;
}

static bool replays(const struct hd_config *config) {
    return strncmp(config->strategy, "replay:", 7) == 0;
}

/* The strategy of before is forgotten. */
void hd_library_afresh(void) {
    hd_rt->strategy_state = NULL;
    hd_rt->own_limits = false;
}

/* ---- before and after main -------------------------------------------------------- */

/* What main says on its way to the test is not the test's, and nobody asked for it
 * again and again. */
static void hush(void) {
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0) return;
    hd_rt->voice = fcntl(2, F_DUPFD_CLOEXEC, HD_OWN_DESCRIPTORS);
    if (hd_rt->voice < 0) hd_rt->voice = 0;
    dup2(nowhere, 1);
    if (hd_rt->voice) dup2(nowhere, 2);
    close(nowhere);
}

bool hd_library_wanted(void) { return hd_library && hd_library->named[0]; }

void hd_library_boot(void) {
    const char *named = environment("HEDDLE_TEST");
    if (!named || !*named) return;
    struct hd_library_state *self = state();
    snprintf(self->named, sizeof self->named, "%s", named);
    /* A framework may run each test in a child of its own. */
    void *shared = hd_map_aside(HD_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1);
    self->found = shared ? shared : hd_lasting(1);
    struct hd_config *config = &hd_rt->config;
    self->alone = config->result_fd >= 0 || replays(config);
    if (!self->alone) return;
    self->wanted = *config;
    if (config->explore && config->result_fd >= 0) hush();
    config->explore = false;
    config->trace[0] = config->schedule[0] = '\0';
    memcpy(config->strategy, "round-robin", 12);
    hd_library_afresh();
    hd_strategy_open();
}

void hd_library_close(void) {
    const struct hd_library_state *self = hd_library;
    if (!self) return;
    if (self->named[0] && !*self->found) {
        hd_say("HEDDLE_TEST: there is no test %s", self->named);
        hd_rt->real._exit(2);
    }
    if (self->tests == 0 || hd_rt->config.quiet) return;
    char lone[64] = "", large[96] = "";
    if (self->lone) {
        snprintf(lone, sizeof lone, "; %u without a second thread: nothing to explore",
                 self->lone);
    }
    if (self->large) {
        snprintf(large, sizeof large, "; %u too long for checkers on the side (heddle test has them)",
                 self->large);
    }
    hd_say("%u of %u tests explored in %lu executions, %u of them completely%s%s",
           self->tests - self->lone, self->tests, self->executions, self->complete, lone, large);
}

/* ---- an exploration ----------------------------------------------------------------- */

static void configure(struct hd_config *config, const struct heddle_test_ *test) {
    char source[300];
    snprintf(source, sizeof source, "options of %s", test->name);
    hd_options_read(config, NULL);
    config->executions = 1000;
    config->milliseconds = 2000;
    config->watchdog = 2;
    memcpy(config->strategy, "portfolio", 10);
    hd_options_add(config, source, test->words);
    hd_options_add(config, "HEDDLE_OPTIONS", hd_rt->options);
    config->explore = config->unit = true;
    config->each = false;
    config->trace[0] = config->schedule[0] = '\0';
}

static int cannot(struct heddle_result *result, const char *why) {
    result->kind = "cannot";
    result->message = why;
    return HEDDLE_CANNOT_;
}

void hd_library_wait(bool waiting) {
    uint64_t set = 1UL << (SIGPROF - 1);
    hd_kernel(SYS_rt_sigprocmask, waiting ? SIG_BLOCK : SIG_UNBLOCK, (long)&set, 0, sizeof set, 0, 0);
}

/* In a child process, once. */
int hd_library_apart(const struct heddle_test_ *test, struct hd_config *config, char *frame,
                     struct heddle_result *result) {
    struct hd_library_state *self = hd_library;
    int ends[2];
    if (hd_kernel(SYS_pipe2, (long)ends, O_CLOEXEC, 0, 0, 0, 0) < 0) {
        return cannot(result, "no more file descriptors");
    }
    pid_t (*fork_)(void) = (pid_t(*)(void))(uintptr_t)hd_real_named("fork");
    pid_t pid = fork_();
    if (pid < 0) {
        close(ends[0]);
        close(ends[1]);
        return cannot(result, "no more processes");
    }
    if (pid == 0) {
        hd_library_wait(false);
        close(ends[0]);
        hd_library_child(test, config, frame, ends[1]);
    }
    close(ends[1]);
    bool over;
    bool whole = hd_library_listen(ends[0], config->milliseconds, &over, result);
    close(ends[0]);
    int status = 0;
    /* Silent and still alive: given up. Its end of the pipe closes just before it ends. */
    bool hangs = !whole && !over;
    if (hangs) hd_kernel(SYS_kill, pid, SIGKILL, 0, 0, 0, 0);
    while (hd_kernel(SYS_wait4, pid, (long)&status, 0, 0, 0, 0) == -4 /* EINTR */) {
    }
    if (result->kind && strcmp(result->kind, "cannot") == 0) return HEDDLE_CANNOT_;
    if (!whole && !result->kind) {
        result->failures = 1;
        result->kind = hangs ? "timeout" : "crash";
        snprintf(self->lost, sizeof self->lost,
                 hangs                 ? "the process did not come back"
                 : WIFSIGNALED(status) ? "the process was ended by signal %d"
                                       : "the process ended without a word (did it close heddle's "
                                         "descriptors, 900 and up?)",
                 WTERMSIG(status));
        result->message = self->lost;
    }
    return HEDDLE_DONE_;
}

static int explore(const struct heddle_test_ *test, char *frame, struct heddle_result *result) {
    struct hd_library_state *self = hd_library;
    struct hd_config config;
    unsigned long long executions;
    bool exhausted;
    configure(&config, test);
    hd_library_wait(true);
    int rc = hd_library_apart(test, &config, frame, result);
    if (rc != HEDDLE_DONE_) goto out;
    executions = result->executions;
    exhausted = result->exhausted;
    if (!result->kind) hd_library_side(test, &config, frame, result);
    if (result->kind && !result->again) {
        result->message = hd_library_name(result->message);
        hd_library_keep(test, result);
    }
    self->tests++;
    self->executions += executions;
    if (result->threads == 1 && executions == 1) {
        self->lone++;
    } else if (exhausted) {
        self->complete++;
    }

out:
    hd_library_wait(false);
    return rc;
}

/* A test may be run twice, with something else in between: "name", "name#2", ... */
static const char *name_once(const char *name) {
    struct hd_library_state *self = hd_library;
    struct hd_test_name *known = self->names;
    while (known && strcmp(known->name, name) != 0) known = known->next;
    if (!known) {
        known = hd_lasting(sizeof *known + strlen(name) + 1);
        known->next = self->names;
        self->names = known;
        memcpy(known->name, name, strlen(name) + 1);
    }
    if (++known->times == 1) return known->name;
    size_t size = strlen(name) + 12;
    char *text = hd_lasting(size);
    snprintf(text, size, "%s#%u", name, known->times);
    return text;
}

SEEN int heddle_test_(const struct heddle_test_ *given, struct heddle_result *result) {
    struct hd_library_state *self = state();
    struct heddle_test_ named = *given, *test = &named;
    char *frame = (char *)__builtin_frame_address(0) + 2 * sizeof(void *);
    *result = (struct heddle_result){0};
    if (self->test) return HEDDLE_INLINE_; /* a test within a test */
    named.name = name_once(given->name);
    if (strcmp(self->named, "?") == 0) {
        *self->found = true;
        if (hd_rt->config.result_fd >= 0) {
            char line[300];
            snprintf(line, sizeof line, "test %s", test->name);
            hd_result_word(hd_rt->config.result_fd, line);
        } else if (write(1, test->name, strlen(test->name)) < 0 || write(1, "\n", 1) < 0) {
            return cannot(result, "cannot write to standard output");
        }
        return HEDDLE_SKIPPED_;
    }
    if (self->named[0] && strcmp(self->named, test->name) != 0) return HEDDLE_SKIPPED_;
    if (self->found) *self->found = true;
    if (!self->named[0] &&
        (hd_rt->config.explore || hd_rt->config.result_fd >= 0 || replays(&hd_rt->config))) {
        self->mark = test->mark;
        return HEDDLE_INLINE_;
    }
    char *low = hd_rt->current ? hd_rt->current->stack_low : NULL;
    if (!hd_rt->current || hd_rt->current->id != 0 || frame - low > (ptrdiff_t)HD_STACK_STRIDE) {
        return cannot(result, "only the main thread can ask for an exploration");
    }
    if (frame - low < HD_LIBRARY_GAP + LEAST) return cannot(result, "the stack is nearly full");
    HD_ENTER(fflush)(NULL);
    if (self->alone) hd_library_here(test, frame);
    return explore(test, frame, result);
}

/* ---- plain functions ------------------------------------------------------------------ */

struct plain {
    void (*function)(void *);
    void *argument;
};

static int run_plain(void *argument) {
    const struct plain *plain = argument;
    plain->function(plain->argument);
    return 0;
}

SEEN int heddle_explore(void (*function)(void *), void *argument,
                        const struct heddle_options *options, struct heddle_result *result) {
    static const struct heddle_options standard;
    struct heddle_result unwanted;
    struct plain plain = {function, argument};
    char name[32], words[600];
    size_t used = 0;
    if (!options) options = &standard;
    if (!result) result = &unwanted;
    snprintf(name, sizeof name, "explore-%u", ++state()->calls);
    words[0] = '\0';
    if (options->executions) {
        used += (size_t)snprintf(words, sizeof words, "executions=%llu ", options->executions);
    }
    if (options->seconds > 0) {
        used += (size_t)snprintf(words + used, sizeof words - used, "milliseconds=%llu ",
                                 (unsigned long long)(options->seconds * 1000) + 1);
    }
    if (options->seed) {
        used += (size_t)snprintf(words + used, sizeof words - used, "seed=%llu ", options->seed);
    }
    if (options->strategy) {
        used += (size_t)snprintf(words + used, sizeof words - used, "strategy=%s",
                                 options->strategy);
    }
    struct heddle_test_ test = {
        .name = options->name ? options->name : name,
        .run = run_plain,
        .argument = &plain,
        .words = words,
    };
    if (used >= sizeof words) return cannot(result, "the name of the strategy is too long"), -1;
    switch (heddle_test_(&test, result)) {
    case HEDDLE_DONE_: return result->failures ? 1 : 0;
    case HEDDLE_SKIPPED_: return 0;
    case HEDDLE_INLINE_:
        function(argument);
        result->executions = 1;
        return 0;
    default: return -1;
    }
}

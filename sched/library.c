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

#include "libc/jump.h"
#include "module.h"
#include "options.h"
#include "pthread/kernel.h"
#include "run.h"
#include "sched.h"

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
#define GAP 65536  /* of the stack, for heddle's own frames */
#define LEAST 65536 /* that must be left below */
#define HIGH 900   /* descriptors from here on are heddle's */

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

static void reopen(void) {
    hd_rt->strategy_state = NULL;
    hd_rt->own_limits = false;
    hd_strategy_open();
}

/* ---- before and after main -------------------------------------------------------- */

void hd_library_boot(void) {
    const char *named = environment("HEDDLE_TEST");
    if (!named || !*named) return;
    struct hd_library_state *self = state();
    snprintf(self->named, sizeof self->named, "%s", named);
    /* A framework may run each test in a child of its own. */
    void *shared = mmap(NULL, HD_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    self->found = shared == MAP_FAILED ? hd_lasting(1) : shared;
    struct hd_config *config = &hd_rt->config;
    self->alone = config->result_fd >= 0 || replays(config);
    if (!self->alone) return;
    self->wanted = *config;
    config->explore = false;
    config->trace[0] = config->schedule[0] = '\0';
    memcpy(config->strategy, "round-robin", 12);
    reopen();
}

void hd_library_close(void) {
    const struct hd_library_state *self = hd_library;
    if (!self) return;
    if (self->named[0] && !*self->found) {
        hd_say("HEDDLE_TEST: there is no test %s", self->named);
        hd_rt->real._exit(2);
    }
    if (self->tests == 0 || hd_rt->config.quiet) return;
    char lone[64] = "";
    if (self->lone) {
        snprintf(lone, sizeof lone, "; %u without a second thread: nothing to explore",
                 self->lone);
    }
    hd_say("%u of %u tests explored in %lu executions, %u of them completely%s",
           self->tests - self->lone, self->tests, self->executions, self->complete, lone);
}

/* ---- one execution ------------------------------------------------------------------ */

/* The line of this execution's output that holds the mark, if it was caught. */
static const char *marked_line(const char *mark, char *text, size_t size) {
    off_t end = lseek(1, 0, SEEK_CUR);
    if (!mark || end <= 0) return NULL;
    off_t from = (size_t)end < size ? 0 : end - (off_t)size + 1;
    ssize_t n = pread(1, text, size - 1, from);
    if (n <= 0) return NULL;
    text[n] = '\0';
    size_t length = strlen(mark);
    char *line = text, *found = NULL;
    for (char *at = text; *at; at++) {
        if (*at == '\n') line = at + 1;
        if (strncmp(at, mark, length) == 0) found = line;
    }
    if (found) found[strcspn(found, "\n")] = '\0';
    return found;
}

static void fail(const char *mark, void *pc) __attribute__((noreturn));
static void fail(const char *mark, void *pc) {
    char text[2048];
    const char *line = marked_line(mark, text, sizeof text);
    hd_failure(HD_FAIL_ASSERTION, pc, "%s", line ? line : "the test failed");
}

static void end(int answer, void *pc) __attribute__((noreturn));
static void end(int answer, void *pc) {
    hd_rt->real.fflush(NULL);
    hd_point(HD_STOP, hd_pseudo(HD_KEY_PROCESS), HD_MODE_WRITE, pc);
    hd_rt->outcome.answer = answer;
    if (answer & HEDDLE_FAILED_) fail(hd_library->test->mark, pc);
    hd_end_execution();
}

void hd_library_entry(void) {
    const struct heddle_test_ *test = hd_library->test;
    end(test->run(test->argument), NULL);
}

/* The innermost function of the program: longjmp may be a library's. */
static void *in_program(void *pc) {
    const struct hd_thread *self = hd_rt->current;
    return hd_module_of((uintptr_t)pc) != 0 && self->depth ? self->calls[self->depth - 1].pc : pc;
}

/* From any thread to thread 0's frames, or to those of who asked for the
 * exploration: that is how a failed assertion leaves a test. */
void hd_jump_out(struct hd_thread *into, struct __jmp_buf_tag *env, int value, void *pc) {
    (void)env;
    (void)value;
    if (!hd_library || into->id != 0) return;
    const struct heddle_test_ *test = hd_library->test;
    if (test && test->left) end(test->left(test->argument), pc);
    if (test) {
        char where[300];
        hd_rt->real.fflush(NULL);
        void *at = in_program(pc);
        hd_failure(HD_FAIL_ASSERTION, at, "the function was left by longjmp in %s, as a failed "
                   "assertion does", hd_describe_pc(at, where, sizeof where));
    }
    if (hd_library->mark) {
        hd_rt->real.fflush(NULL);
        fail(hd_library->mark, pc);
    }
}

/* ---- an exploration ----------------------------------------------------------------- */

static void configure(struct hd_config *config, const char *words) {
    hd_options_read(config, NULL);
    config->executions = 1000;
    config->milliseconds = 2000;
    config->strategy[0] = '\0'; /* chosen below, unless somebody says */
    hd_options_add(config, words);
    hd_options_add(config, environment("HEDDLE_OPTIONS"));
    config->explore = config->unit = true;
    config->each = false;
    config->trace[0] = config->schedule[0] = '\0';
}

/* From here on this process is the test's. */
static void become(const struct heddle_test_ *test, const struct hd_config *config,
                   char *frame) {
    hd_library->test = test;
    hd_library->kept = frame;
    hd_library->floor = (char *)(((uintptr_t)frame - GAP) & ~(uintptr_t)15);
    hd_rt->running = false;
    hd_rt->current = NULL;
    hd_rt->config = *config;
    hd_rt->notes = NULL;
    reopen();
}

/* Output through memory, so that a failure's message can be read from it. */
static int catch_output(void) {
    int memory = (int)hd_kernel(SYS_memfd_create, (long)"stdout", MFD_CLOEXEC, 0, 0, 0, 0);
    int before = fcntl(1, F_DUPFD_CLOEXEC, HIGH);
    if (memory < 0 || before < 0) return -1;
    dup2(memory, 1);
    close(memory);
    return before;
}

static void pass_on(int before) {
    char piece[4096];
    ssize_t n;
    off_t at = 0;
    while (before >= 0 && (n = pread(1, piece, sizeof piece, at)) > 0) {
        if (write(before, piece, (size_t)n) < 0) break;
        at += n;
    }
}

static void here(const struct heddle_test_ *test, char *frame) {
    become(test, &hd_library->wanted, frame);
    if (hd_rt->config.explore) hd_rt->real._exit(hd_explore());
    int before = hd_rt->config.result_fd >= 0 ? catch_output() : -1;
    hd_execution_begin();
    hd_execution_run();
    pass_on(before);
    hd_result_single();
    hd_rt->real._exit(hd_rt->outcome.status);
}

static void child(const struct heddle_test_ *test, struct hd_config *config, char *frame,
                  int pipe) {
    config->result_fd = fcntl(pipe, F_DUPFD_CLOEXEC, HIGH);
    close(pipe);
    become(test, config, frame);
    hd_crash_watch();
    hd_rt->real._exit(hd_explore());
}

static int cannot(struct heddle_result *result, const char *why) {
    result->kind = "cannot";
    result->message = why;
    return HEDDLE_CANNOT_;
}

/* In a child process, once. */
static int apart(const struct heddle_test_ *test, struct hd_config *config, char *frame,
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
        close(ends[0]);
        child(test, config, frame, ends[1]);
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

/* The complete search first, with half of the budget: most tests are small enough
 * for it. What it leaves goes to chance. */
static int in_turn(const struct heddle_test_ *test, struct hd_config *config, char *frame,
                   struct heddle_result *result) {
    const char *none;
    if (config->strategy[0]) return apart(test, config, frame, result);
    if (hd_strategy_find("portfolio", &none)) {
        memcpy(config->strategy, "portfolio", 10);
        return apart(test, config, frame, result);
    }
    struct hd_config first = *config;
    first.executions = (config->executions + 1) / 2;
    first.milliseconds = (config->milliseconds + 1) / 2;
    memcpy(first.strategy, "dpor", 5);
    int rc = apart(test, &first, frame, result);
    unsigned long long done = result->executions;
    if (rc != HEDDLE_DONE_ || result->kind || result->exhausted || done >= config->executions) {
        return rc;
    }
    config->executions -= done;
    config->milliseconds -= first.milliseconds;
    memcpy(config->strategy, "random", 7);
    *result = (struct heddle_result){0};
    rc = apart(test, config, frame, result);
    result->executions += done;
    return rc;
}

static int explore(const struct heddle_test_ *test, char *frame, struct heddle_result *result) {
    struct hd_library_state *self = hd_library;
    struct hd_config config;
    configure(&config, test->words);
    int rc = in_turn(test, &config, frame, result);
    if (rc != HEDDLE_DONE_) return rc;
    if (result->kind) {
        result->message = hd_library_name(test->header, result->message);
        hd_library_keep(test, result);
    }
    self->tests++;
    self->executions += result->executions;
    if (result->threads == 1 && result->executions == 1) {
        self->lone++;
    } else if (result->exhausted) {
        self->complete++;
    }
    return HEDDLE_DONE_;
}

SEEN int heddle_test_(const struct heddle_test_ *test, struct heddle_result *result) {
    struct hd_library_state *self = state();
    char *frame = (char *)__builtin_frame_address(0) + 2 * sizeof(void *);
    *result = (struct heddle_result){0};
    if (self->test) return HEDDLE_INLINE_; /* a test within a test */
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
    if (frame - low < GAP + LEAST) return cannot(result, "the stack is nearly full");
    hd_rt->real.fflush(NULL);
    if (self->alone) here(test, frame);
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

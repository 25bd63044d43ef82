/* library_run.c - executions of a test, in the process that has become the test's. */
#include "library.h"
#include "watch.h"

#include "count.h"
#include "descriptors.h"
#include "libc/jump.h"
#include "module.h"
#include "pthread/kernel.h"
#include "run.h"
#include "sched.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- one execution ------------------------------------------------------------------ */

/* The line of this execution's output that holds the mark, if it was caught. */
static const char *marked_line(const char *mark, const char *lead, char *text, size_t size) {
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
    if (!found) return NULL;
    found[strcspn(found, "\n")] = '\0';
    length = lead ? strlen(lead) : 0;
    return length && strncmp(found, lead, length) == 0 ? found + length : found;
}

static void fail(const char *mark, const char *lead, void *pc) __attribute__((noreturn));
static void fail(const char *mark, const char *lead, void *pc) {
    char text[2048];
    const char *line = marked_line(mark, lead, text, sizeof text);
    /* It says where; `pc` is inside of the framework. */
    hd_failure(HD_FAIL_ASSERTION, line ? NULL : pc, "%s", line ? line : "the test failed");
}

static void end(int answer, void *pc) __attribute__((noreturn));
static void end(int answer, void *pc) {
    HD_ENTER(fflush)(NULL);
    hd_point(HD_STOP, hd_pseudo(HD_KEY_PROCESS), HD_MODE_WRITE, pc);
    hd_rt->outcome.answer = answer;
    if (answer & HEDDLE_FAILED_) fail(hd_library->test->mark, hd_library->test->lead, pc);
    hd_end_execution();
}

void hd_library_entry(void) {
    const struct heddle_test_ *test = hd_library->test;
    end(test->run(test->argument), NULL);
}

/* A test of a framework has an answer when it comes to its end. */
void hd_library_over(void) {
    struct hd_outcome *outcome = &hd_rt->outcome;
    if (!hd_library->test->mark || outcome->answer || outcome->failure) return;
    if (outcome->cut || outcome->blocked || outcome->diverged) return;
    outcome->failure = HD_FAIL_EXIT;
    snprintf(outcome->message, sizeof outcome->message, "the test ended the process (status %d)",
             outcome->status);
    if (outcome->status == 0) outcome->status = 1;
}

/* The innermost function of the program: longjmp may be a library's. */
static void *in_program(void *pc) {
    const struct hd_thread *self = hd_rt->current;
    return hd_module_of((uintptr_t)pc) != 0 && self->depth ? self->calls[self->depth - 1].pc : pc;
}

/* From any thread to thread 0's frames, or to those of who asked for the
 * exploration: that is how a failed assertion leaves a test. */
void hd_jump_out(struct hd_thread *into, struct __jmp_buf_tag *env, int value, void *pc) {
    (void)value;
    if (!hd_library || into->id != 0) return;
    const struct heddle_test_ *test = hd_library->test;
    if (test && test->frame && test->frame != env) return; /* somebody else's jump */
    if (test && test->left) end(test->left(test->argument), pc);
    if (test) {
        char where[300];
        HD_ENTER(fflush)(NULL);
        void *at = in_program(pc);
        hd_failure(HD_FAIL_ASSERTION, at, "the function was left by longjmp in %s, as a failed "
                   "assertion does", hd_describe_pc(at, where, sizeof where));
    }
    if (hd_library->mark) {
        HD_ENTER(fflush)(NULL);
        fail(hd_library->mark, NULL, pc);
    }
}

/* ---- the process ------------------------------------------------------------------ */

/* From here on this process is the test's. */
static void become(const struct heddle_test_ *test, const struct hd_config *config,
                   char *frame) {
    hd_library->test = test;
    hd_library->kept = frame;
    hd_library->floor = (char *)(((uintptr_t)frame - HD_LIBRARY_GAP) & ~(uintptr_t)15);
    hd_rt->running = false;
    hd_become(NULL);
    hd_rt->config = *config;
    hd_rt->notes = NULL;
    hd_library_afresh();
}

/* Output through memory, so that a failure's message can be read from it. */
static int catch_output(void) {
    int memory = (int)hd_kernel(SYS_memfd_create, (long)"stdout", MFD_CLOEXEC, 0, 0, 0, 0);
    int before = fcntl(1, F_DUPFD_CLOEXEC, HD_OWN_DESCRIPTORS);
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

void hd_library_here(const struct heddle_test_ *test, char *frame) {
    become(test, &hd_library->wanted, frame);
    hd_strategy_open();
    if (hd_rt->config.explore) hd_rt->real._exit(hd_explore());
    int before = hd_rt->config.result_fd >= 0 ? catch_output() : -1;
    hd_execution_begin();
    hd_execution_run();
    pass_on(before);
    hd_result_single();
    hd_rt->real._exit(hd_rt->outcome.status);
}

void hd_library_child(const struct heddle_test_ *test, struct hd_config *config, char *frame,
                      int pipe) {
    config->result_fd = fcntl(pipe, F_DUPFD_CLOEXEC, HD_OWN_DESCRIPTORS);
    close(pipe);
    become(test, config, frame);
    char why[256], line[600];
    if (!hd_strategy_ready(why, sizeof why)) {
        snprintf(line, sizeof line, "cannot strategy %s: %s", config->strategy, why);
        hd_result_word(config->result_fd, line);
        hd_rt->real._exit(2);
    }
    hd_watch_start();
    hd_rt->real._exit(hd_explore());
}

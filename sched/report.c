/* report.c - failures, notes, and heddle's own voice inside the program. */
#include "report.h"

#include "module.h"
#include "primitive.h"
#include "runtime.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <sys/syscall.h>
#include <unistd.h>

static void put(const char *text, size_t length) {
    while (length > 0) {
        long n = syscall(SYS_write, hd_rt->voice ? hd_rt->voice : 2, text, length);
        if (n <= 0) return;
        text += n;
        length -= (size_t)n;
    }
}

static void say_as(const char *who, const char *format, va_list args) {
    char text[2048];
    int used = snprintf(text, sizeof text, "%s: ", who);
    int more = vsnprintf(text + used, sizeof text - (size_t)used - 1, format, args);
    used = used + more < (int)sizeof text - 2 ? used + more : (int)sizeof text - 2;
    text[used++] = '\n';
    put(text, (size_t)used);
}

void hd_say(const char *format, ...) {
    va_list args;
    va_start(args, format);
    say_as("heddle", format, args);
    va_end(args);
}

void hd_give_up(const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (!hd_rt->there) say_as("heddle", format, args); /* of a worker's, the search comes to it, too */
    va_end(args);
    syscall(SYS_exit_group, 3);
    __builtin_unreachable();
}

void hd_bug_told(const char *text);
void hd_bug_told(const char *text) {
    put(text, strlen(text));
    syscall(SYS_exit_group, 134);
}

/* ---- notes: each text once a process ---------------------------------------- */

struct hd_note_state {
    uint32_t count;
    char *text[64];
};

void hd_note(const char *format, ...) {
    if (!hd_rt->notes) hd_rt->notes = hd_lasting(sizeof *hd_rt->notes);
    struct hd_note_state *self = hd_rt->notes;
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (uint32_t i = 0; i < self->count; i++) {
        if (strcmp(self->text[i], text) == 0) return;
    }
    if (self->count == 64) return;
    char *kept = hd_lasting(strlen(text) + 1);
    memcpy(kept, text, strlen(text) + 1);
    self->text[self->count++] = kept;
    if (!hd_rt->config.quiet && hd_rt->config.result_fd < 0) hd_say("note: %s", text);
}

const char *hd_note_at(uint32_t index) {
    const struct hd_note_state *self = hd_rt->notes;
    return self && index < self->count ? self->text[index] : NULL;
}

/* ---- failures --------------------------------------------------------------- */

const char *hd_failure_word(int kind) {
    static const char *const words[] = {
        [HD_OK] = "none",           [HD_FAIL_ASSERTION] = "assertion",
        [HD_FAIL_CRASH] = "crash",  [HD_FAIL_DEADLOCK] = "deadlock",
        [HD_FAIL_LIVELOCK] = "livelock", [HD_FAIL_EXIT] = "exit",
        [HD_FAIL_MISUSE] = "misuse", [HD_FAIL_TIMEOUT] = "timeout",
    };
    return words[kind];
}

static void keep_failure(enum hd_failure_kind kind, const struct hd_thread *thread, void *pc,
                         const char *format, va_list args) {
    struct hd_outcome *outcome = &hd_rt->outcome;
    if (outcome->failure != HD_OK) return; /* the first one counts */
    outcome->failure = kind;
    outcome->thread = thread ? thread->id : 0;
    outcome->pc = pc;
    vsnprintf(outcome->message, sizeof outcome->message, format, args);
    if (outcome->status == 0) outcome->status = 1;
}

void hd_failure(enum hd_failure_kind kind, void *pc, const char *format, ...) {
    va_list args;
    va_start(args, format);
    keep_failure(kind, hd_rt->current, pc, format, args);
    va_end(args);
    hd_end_execution();
}

void hd_failure_keep(const struct hd_thread *thread, enum hd_failure_kind kind, const char *text) {
    struct hd_outcome *outcome = &hd_rt->outcome;
    if (outcome->failure != HD_OK) return;
    outcome->failure = kind;
    outcome->thread = thread->id;
    outcome->pc = thread->op.pc;
    memcpy(outcome->message, text, strlen(text) + 1);
    if (outcome->status == 0) outcome->status = 1;
}

void hd_failure_of(const struct hd_thread *thread, enum hd_failure_kind kind, const char *format,
                   ...) {
    va_list args;
    va_start(args, format);
    keep_failure(kind, thread, thread ? thread->op.pc : NULL, format, args);
    va_end(args);
    hd_end_execution();
}

static size_t tell_holder(char *text, size_t size, size_t used, uint32_t holder, void *pc,
                          const char *how) {
    char where[300], name[128];
    int n = snprintf(text + used, size - used, ", held %sby thread %s since %s", how,
                     hd_thread_name(hd_rt->threads[holder - 1], name, sizeof name),
                     hd_describe_pc(pc, where, sizeof where));
    if (n < 0 || (size_t)n >= size - used) {
        text[used] = '\0';
        return used;
    }
    return used + (size_t)n;
}

void hd_tell_holders(const struct hd_primitive *primitive, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    if (primitive->owner) tell_holder(text, size, 0, primitive->owner, primitive->where, "");
    if (primitive->kind != HD_SYNC_RWLOCK || primitive->count == 0) return;
    /* Not in the order in which they came: readers do not depend on each other. */
    for (uint32_t thread = 1; thread <= hd_rt->thread_count; thread++) {
        for (const struct hd_reader *at = primitive->more; at; at = at->next) {
            if (at->thread != thread || at->count == 0) continue;
            used = tell_holder(text, size, used, thread, at->where, "for reading ");
        }
    }
}

uint64_t hd_real_now(void) {
    struct timespec now;
    hd_rt->real.clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000UL + (uint64_t)now.tv_nsec;
}

void hd_report_late(void) {
    if (hd_real_now() < hd_rt->stop_at) return;
    hd_rt->outcome.cut = true;
    hd_end_execution();
}

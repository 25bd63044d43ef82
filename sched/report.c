/* report.c - failures, notes, and heddle's own voice inside the program. */
#include "report.h"

#include "module.h"
#include "primitive.h"
#include "runtime.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
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

/* Of a thread that stands still, whoever ran last. */
static void __attribute__((noreturn)) fail_at(enum hd_failure_kind kind,
                                              const struct hd_thread *thread,
                                              const char *format, ...) {
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

/* What a thread stands before, in words: "locks mutex [&prog+0x4060]". */
static void tell_wait(const struct hd_thread *thread, char *text, size_t size) {
    static const char *const verbs[HD_KIND_COUNT] = {
        [HD_ACQUIRE] = "locks",  [HD_JOIN] = "joins",      [HD_WAKE] = "waits on",
        [HD_PEND] = "waits for", [HD_BLEAVE] = "waits at", [HD_BARRIER] = "waits at",
        [HD_ONCE] = "waits for", [HD_WAIT] = "waits on",
    };
    const struct hd_op *op = &thread->op;
    const char *verb = verbs[op->kind] ? verbs[op->kind] : "waits for";
    if (thread->parked) verb = "spins on";
    char where[300], what[300], name[128];
    hd_describe_pc(op->pc, where, sizeof where);
    if (op->kind == HD_JOIN) {
        const struct hd_thread *other = NULL;
        for (uint32_t i = 0; i < hd_rt->thread_count; i++) {
            if (&hd_rt->threads[i]->end == op->place) other = hd_rt->threads[i];
        }
        snprintf(text, size, "joins thread %s at %s",
                 other ? hd_thread_name(other, name, sizeof name) : "?", where);
        return;
    }
    const struct hd_primitive *primitive = hd_waited_condition(thread);
    if (!primitive) primitive = hd_primitive_of(op->place);
    hd_describe_address(primitive ? primitive->place.key : op->place->key, what, sizeof what);
    if (!primitive && strcmp(what, "[?]") == 0) {
        snprintf(text, size, "waits for something outside of the program's threads at %s", where);
        return;
    }
    int used = snprintf(text, size, "%s %s%s%s at %s", verb,
                        primitive ? hd_primitive_word(primitive) : "", primitive ? " " : "", what,
                        where);
    if (primitive && used > 0 && (size_t)used < size) {
        hd_tell_holders(primitive, text + used, size - (size_t)used);
    }
}

/* Who holds the lock that this thread waits for, with nothing to call it away. */
static const struct hd_thread *awaited(const struct hd_thread *thread) {
    if (thread->state != HD_THREAD_BLOCKED || thread->parked || thread->op.kind != HD_ACQUIRE ||
        thread->deadline != HD_NEVER) {
        return NULL;
    }
    const struct hd_primitive *primitive = hd_primitive_of(thread->op.place);
    return primitive && primitive->owner ? hd_rt->threads[primitive->owner - 1] : NULL;
}

/* Does it wait for itself in the end? Then it does so whatever others do. */
static bool in_circle(const struct hd_thread *thread) {
    const struct hd_thread *at = awaited(thread);
    for (uint32_t i = 0; at && at != thread && i < hd_rt->thread_count; i++) at = awaited(at);
    return at == thread;
}

static bool is_blocked(const struct hd_thread *thread) {
    return thread->state == HD_THREAD_BLOCKED;
}

/* Those who wait for a lock or a signal first: who joins them waits for them. */
static size_t tell_stuck(char *text, size_t size, size_t used, bool joining,
                         bool (*stuck)(const struct hd_thread *thread), struct hd_thread **first) {
    static const char more[] = "; ...";
    for (uint32_t i = 0; i < hd_rt->thread_count; i++) {
        struct hd_thread *thread = hd_rt->threads[i];
        if (!stuck(thread) || (thread->op.kind == HD_JOIN) != joining) continue;
        if (!*first) *first = thread;
        char line[700], name[128];
        tell_wait(thread, line, sizeof line);
        int n = snprintf(text + used, size - used, "%sthread %s %s", used ? "; " : "",
                         hd_thread_name(thread, name, sizeof name), line);
        if (n < 0 || used + (size_t)n + sizeof more > size) {
            snprintf(text + used, size - used, "%s", more); /* verdicts depend on who is told */
            break;
        }
        used += (size_t)n;
    }
    return used;
}

/* Is there a timer whose signal could have ended this? It has a handler, or
 * somebody waits for a signal. Timers do not fire here, so nothing is known then. */
static bool timer_may_help(void) {
    if (hd_rt->timers.generation != hd_rt->generation) return false;
    if (hd_rt->timers.thread) return true;
    for (uint64_t rest = hd_rt->timers.signals; rest; rest &= rest - 1) {
        struct sigaction action;
        if (hd_rt->real.sigaction(__builtin_ctzl(rest) + 1, NULL, &action) != 0) continue;
        if (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN) return true;
    }
    for (uint32_t i = 0; i < hd_rt->thread_count; i++) {
        const struct hd_thread *thread = hd_rt->threads[i];
        if (thread->state == HD_THREAD_BLOCKED && thread->op.place &&
            thread->op.place->key == hd_mailbox_key(thread)) {
            return true;
        }
    }
    return false;
}

void hd_report_stuck(void) {
    if (timer_may_help()) {
        hd_note("threads waited for the signal of a timer: what would follow was not run");
        hd_rt->outcome.cut = true;
        hd_rt->incomplete = true;
        hd_end_execution();
    }
    char text[1000];
    struct hd_thread *first = NULL;
    size_t used = tell_stuck(text, sizeof text, 0, false, is_blocked, &first);
    tell_stuck(text, sizeof text, used, true, is_blocked, &first);
    fail_at(hd_rt->parked_count > 0 ? HD_FAIL_LIVELOCK : HD_FAIL_DEADLOCK, first, "%s", text);
}

/* Did everybody who could have a turn in that time? Else the schedule is to
 * blame, not the program: one may be waiting for another who was never let go. */
static bool fair_since(uint64_t step) {
    for (uint32_t i = 0; i < hd_rt->runnable_count; i++) {
        if (hd_rt->threads[hd_rt->runnable[i]]->ran_at <= step) return false;
    }
    return true;
}

void hd_report_steps(void) {
    char text[1000] = "";
    struct hd_thread *first = NULL;
    tell_stuck(text, sizeof text, 0, false, in_circle, &first);
    if (first) fail_at(HD_FAIL_DEADLOCK, first, "%s", text);
    uint64_t since = hd_rt->steps - hd_rt->config.steps / 2;
    if (hd_rt->progress_step < since && fair_since(since)) {
        hd_failure(HD_FAIL_LIVELOCK, hd_rt->current->op.pc,
                   "no progress in the last %lu visible operations (--steps %lu)",
                   hd_rt->steps - hd_rt->progress_step, hd_rt->config.steps);
    }
    hd_rt->outcome.cut = true;
    hd_note("an execution was cut at %lu visible operations (--steps)", hd_rt->config.steps);
    hd_end_execution();
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

/* stuck.c - nobody can go on, or nothing comes of it: who waits for what.
 *
 * Apart from the sentence for a person there is what the failure is about: the circle of
 * those who wait for each other, or who waits for what nobody will do. That stays the
 * same whoever else happens to wait, so it is what tells one deadlock from another. */
#include "frame.h"
#include "module.h"
#include "primitive.h"
#include "record.h"
#include "report.h"
#include "runtime.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static bool is_blocked(const struct hd_thread *thread) {
    return thread->state == HD_THREAD_BLOCKED;
}

/* Whose end this thread waits for. */
static const struct hd_thread *joined(const struct hd_thread *thread) {
    for (uint32_t i = 0; i < hd_rt->thread_count; i++) {
        if (&hd_rt->threads[i]->end == thread->op.place) return hd_rt->threads[i];
    }
    return NULL;
}

static const char *verb_of(const struct hd_thread *thread) {
    static const char *const verbs[HD_KIND_COUNT] = {
        [HD_ACQUIRE] = "locks",  [HD_JOIN] = "joins",      [HD_WAKE] = "waits on",
        [HD_PEND] = "waits for", [HD_BLEAVE] = "waits at", [HD_BARRIER] = "waits at",
        [HD_ONCE] = "waits for", [HD_WAIT] = "waits on",
    };
    if (thread->goes_round) return "goes round";
    if (thread->parked) return "spins on";
    return verbs[thread->op.kind] ? verbs[thread->op.kind] : "waits for";
}

/* What it is that the thread waits for: "mutex [&prog+0x4060]". NULL: no primitive. */
static const struct hd_primitive *describe_awaited(const struct hd_thread *thread, char *text,
                                                   size_t size) {
    char what[300];
    const struct hd_primitive *primitive = hd_waited_condition(thread);
    if (!primitive) primitive = hd_primitive_of(thread->op.place);
    uint64_t key = primitive ? primitive->place.key : thread->op.place->key;
    hd_frame_describe(key & ~HD_KEY_WORD, what, sizeof what);
    snprintf(text, size, "%s%s%s", primitive ? hd_primitive_word(primitive) : "",
             primitive ? " " : "", what);
    return primitive;
}

/* What a thread stands before, in words: "locks mutex [&prog+0x4060]". */
static void tell_wait(const struct hd_thread *thread, char *text, size_t size) {
    const struct hd_op *op = &thread->op;
    char where[300], what[400], name[128];
    hd_describe_pc(op->pc, where, sizeof where);
    if (thread->goes_round) {
        snprintf(text, size, "goes round without end at %s", where);
        return;
    }
    if (op->kind == HD_JOIN) {
        const struct hd_thread *other = joined(thread);
        snprintf(text, size, "joins thread %s at %s",
                 other ? hd_thread_name(other, name, sizeof name) : "?", where);
        return;
    }
    const struct hd_primitive *primitive = describe_awaited(thread, what, sizeof what);
    if (strcmp(what, "[?]") == 0) {
        snprintf(text, size, "waits for something outside of the program's threads at %s", where);
        return;
    }
    int used = snprintf(text, size, "%s %s at %s", verb_of(thread), what, where);
    if (primitive && used > 0 && (size_t)used < size) {
        hd_tell_holders(primitive, text + used, size - (size_t)used);
    }
}

/* Nothing calls it away: no deadline, and it does not go on by itself. */
static bool stands(const struct hd_thread *thread) {
    return is_blocked(thread) && !thread->parked && !thread->goes_round &&
           thread->deadline == HD_NEVER;
}

/* The lock that it stands before; NULL: none, or it waits for something else, too. */
static struct hd_primitive *stands_before(const struct hd_thread *thread) {
    if (!stands(thread)) return NULL;
    switch (thread->op.kind) {
    case HD_ACQUIRE:
    case HD_TXBEGIN: return hd_primitive_of(thread->op.place);
    case HD_WAKE: return hd_waited_condition(thread) ? NULL : hd_primitive_of(thread->op.place);
    default: return NULL;
    }
}

/* Whom this thread waits for, with nothing to call it away. One of the readers stands
 * for all who hold a lock for reading. A join can be cancelled by whoever still runs. */
static const struct hd_thread *awaited(const struct hd_thread *thread) {
    if (stands(thread) && thread->op.kind == HD_JOIN) {
        return hd_rt->runnable_count && !hd_rt->ending ? NULL : joined(thread);
    }
    const struct hd_primitive *primitive = stands_before(thread);
    if (!primitive) return NULL;
    if (primitive->owner) return hd_rt->threads[primitive->owner - 1];
    if (primitive->kind != HD_SYNC_RWLOCK) return NULL;
    const struct hd_thread *first = NULL;
    for (const struct hd_reader *at = primitive->more; at; at = at->next) {
        const struct hd_thread *reader = hd_rt->threads[at->thread - 1];
        if (at->count == 0 || !is_blocked(reader)) continue;
        if (!first || reader->id < first->id) first = reader;
    }
    return first;
}

/* Does it wait for itself in the end? Then it does so whatever others do. */
static bool in_circle(const struct hd_thread *thread) {
    const struct hd_thread *at = awaited(thread);
    for (uint32_t i = 0; at && at != thread && i < hd_rt->thread_count; i++) at = awaited(at);
    return at == thread;
}

static bool is_bystander(const struct hd_thread *thread) {
    return is_blocked(thread) && !in_circle(thread);
}

/* Stands still for a reason of its own: those who wait for it are only held up. */
static bool is_cause(const struct hd_thread *thread) {
    const struct hd_thread *other = awaited(thread);
    return is_blocked(thread) && !(other && is_blocked(other));
}

/* Those who wait for a lock or a signal first: who joins them waits for them. */
static size_t tell_stuck(char *text, size_t size, size_t used, bool joining,
                         bool (*stuck)(const struct hd_thread *thread), struct hd_thread **first) {
    static const char more[] = "; ...";
    for (uint32_t i = 0; used < size && i < hd_rt->thread_count; i++) {
        struct hd_thread *thread = hd_rt->threads[i];
        if (!stuck(thread) || (thread->op.kind == HD_JOIN) != joining) continue;
        if (!*first) *first = thread;
        char line[700], name[128];
        tell_wait(thread, line, sizeof line);
        int n = snprintf(text + used, size - used, "%sthread %s %s", used ? "; " : "",
                         hd_thread_name(thread, name, sizeof name), line);
        if (n < 0 || used + (size_t)n + sizeof more > size) {
            snprintf(text + used, size - used, "%s", more); /* verdicts depend on who is told */
            return size;
        }
        used += (size_t)n;
    }
    return used;
}

/* ---- what it is about ----------------------------------------------------------------- */

/* "locks mutex [&prog+0x4060] in [prog+0x11d6]; " */
static size_t put_about(const struct hd_thread *thread, size_t used) {
    char what[400] = "", where[300];
    size_t size = sizeof hd_rt->outcome.about;
    bool awaits = thread->op.kind != HD_JOIN && !thread->goes_round;
    if (awaits) describe_awaited(thread, what, sizeof what);
    int n = snprintf(hd_rt->outcome.about + used, size - used, "%s %s in %s; ", verb_of(thread),
                     what, hd_describe_pc(thread->op.pc, where, sizeof where));
    if (n > 0 && (size_t)n < size - used) return used + (size_t)n;
    hd_rt->outcome.about[used] = '\0';
    return used;
}

/* "circle: " and those in it, in its order; else all who have nobody to wait for. Whoever else happens
 * to stand still does not make it another failure. */
static void tell_about(const struct hd_thread *first) {
    size_t used = 0;
    if (in_circle(first)) {
        const struct hd_thread *at = first;
        used = (size_t)snprintf(hd_rt->outcome.about, sizeof hd_rt->outcome.about, "circle: ");
        do {
            used = put_about(at, used);
            at = awaited(at);
        } while (at != first);
        return;
    }
    for (uint32_t i = 0; i < hd_rt->thread_count; i++) {
        if (is_cause(hd_rt->threads[i])) used = put_about(hd_rt->threads[i], used);
    }
}

/* Who is parked where it steps aside waits for no place: spin.h, rule (5). */
static void mark_aside(void) {
    for (uint32_t i = 0; hd_rt->parked_count > 0 && i < hd_rt->thread_count; i++) {
        struct hd_thread *thread = hd_rt->threads[i];
        if (thread->parked && thread->spin.aside) thread->goes_round = true;
    }
}

/* The circle comes first, so that it is told whoever else waits. */
static const struct hd_thread *tell_all(char *text, size_t size) {
    struct hd_thread *first = NULL;
    mark_aside();
    size_t used = tell_stuck(text, size, 0, false, in_circle, &first);
    used = tell_stuck(text, size, used, true, in_circle, &first);
    used = tell_stuck(text, size, used, false, is_bystander, &first);
    tell_stuck(text, size, used, true, is_bystander, &first);
    tell_about(first);
    return first;
}

static void __attribute__((noreturn)) fail(enum hd_failure_kind kind) {
    char text[1000] = "";
    const struct hd_thread *first = tell_all(text, sizeof text);
    hd_failure_of(first, kind, "%s", text);
}

/* Some wait for each other for ever, whatever the rest of the program does. */
static bool any_circle(void) {
    for (uint32_t i = 0; i < hd_rt->thread_count; i++) {
        if (in_circle(hd_rt->threads[i])) return true;
    }
    return false;
}

void hd_report_standing(void) {
    if (hd_rt->runnable_count + hd_rt->finished_count == hd_rt->thread_count) return;
    hd_rt->ending = true;
    bool ended = hd_rt->outcome.failure == HD_OK && !hd_rt->outcome.cut &&
                 !hd_rt->outcome.blocked && !hd_rt->outcome.diverged;
    if (ended && any_circle()) {
        char text[1000] = "";
        static const char anyhow[] = "; the process ended all the same";
        const struct hd_thread *first = tell_all(text, sizeof text - sizeof anyhow);
        memcpy(text + strlen(text), anyhow, sizeof anyhow);
        hd_failure_keep(first, HD_FAIL_DEADLOCK, text);
    }
    for (uint32_t i = 0; i < hd_rt->thread_count; i++) {
        struct hd_thread *thread = hd_rt->threads[i];
        /* It has passed no event: a schedule does not say whether it was begun. */
        if (hd_rt->runnable_count && thread->events == thread->standing) continue;
        const struct hd_thread *other = thread->op.kind == HD_JOIN && stands(thread) ? joined(thread) : NULL;
        struct hd_primitive *lock = stands_before(thread);
        if (lock) hd_record_stands(thread, lock);
        if (other) hd_record_awaits(thread, other);
    }
    hd_rt->ending = false;
}

/* Is there a timer whose signal could have ended this? It has a handler, or
 * somebody waits for a signal. Timers do not fire here, so nothing is known then. */
static bool timer_may_help(void) {
    if (hd_rt->timers.generation != hd_rt->generation) return false;
    if (hd_timers_matter()) return true;
    for (uint32_t i = 0; i < hd_rt->thread_count; i++) {
        const struct hd_thread *thread = hd_rt->threads[i];
        if (thread->state == HD_THREAD_BLOCKED && thread->op.place &&
            thread->op.place->key == hd_mailbox_key(thread)) {
            return true;
        }
    }
    return false;
}

static void __attribute__((noreturn)) cut_for_timer(void) {
    hd_note("threads waited for the signal of a timer: what would follow was not run");
    hd_rt->outcome.cut = true;
    hd_rt->incomplete = true;
    hd_end_execution();
}

void hd_report_stuck(void) {
    if (timer_may_help()) cut_for_timer();
    fail(hd_rt->parked_count > 0 && !any_circle() ? HD_FAIL_LIVELOCK : HD_FAIL_DEADLOCK);
}

void hd_report_circles(void) {
    for (uint32_t i = 0; i < hd_rt->runnable_count; i++) {
        struct hd_thread *thread = hd_rt->threads[hd_rt->runnable[i]];
        thread->state = HD_THREAD_BLOCKED;
        thread->goes_round = true;
        thread->op.pc = thread->circle_at;
    }
    hd_rt->runnable_count = 0;
    if (timer_may_help()) cut_for_timer();
    fail(any_circle() ? HD_FAIL_DEADLOCK : HD_FAIL_LIVELOCK);
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
    if (any_circle()) fail(HD_FAIL_DEADLOCK);
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

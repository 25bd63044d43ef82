/* cut.c - steps as text (see cut.h). */
#include "checkers/tests/cut.h"

#include "checkers/front.h"
#include "checkers/transaction.h"
#include "checkers/warning.h"
#include "sched/trace/bug.h"

#include <stdio.h>
#include <string.h>

static char shown[1 << 14];
char hd_cut_noted[1 << 13];

static void say(char *to, size_t size, const char *text) {
    size_t at = strlen(to);
    snprintf(to + at, size - at, "%s", text);
}

static void show(const struct hd_front *front, const struct hd_trace *trace,
                 const struct hd_step *steps, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const struct hd_step *s = &steps[i];
        char line[256], name[64];
        const char *thread = hd_trace_thread(trace, s->thread);
        if (s->kind == HD_STEP_OPEN) {
            snprintf(line, sizeof line, "%s[%s%s ", thread,
                     hd_front_region_name(front, s->region, name, sizeof name),
                     s->marks & HD_MARK_DETERMINISTIC ? "!" : "");
        } else if (s->kind == HD_STEP_CLOSE) {
            snprintf(line, sizeof line, "%s%s] ", thread,
                     s->marks & HD_MARK_INCOMPLETE ? "..." : "");
        } else if (s->txn != HD_NO_ID) {
            snprintf(line, sizeof line, "%s%s%s ", thread, hd_kind_word(s->kind),
                     s->marks & HD_MARK_UNARY       ? "*"
                     : s->marks & HD_MARK_REENTRANT ? "'"
                                                    : "");
        } else {
            continue;
        }
        say(shown, sizeof shown, line);
    }
}

const char *hd_cut(const char *policy_text, const char *text) {
    struct hd_error err = {.text = ""};
    struct hd_trace *trace = hd_trace_parse(text, "test", &err);
    HD_BUG_ON(!trace, "%s", err.text);
    struct hd_arena *arena = hd_arena_new();
    struct hd_policy policy;
    HD_BUG_ON(hd_policy_parse(arena, policy_text, &policy, &err) < 0, "%s", err.text);
    struct hd_notes *notes = hd_notes_new(arena);
    struct hd_front *front =
        hd_front_new(arena, trace, &policy, notes,
                     HD_NEED_TRANSACTIONS | HD_NEED_ESCAPE | HD_NEED_PERIODS);
    const struct hd_event *events;
    const struct hd_step *steps;
    size_t count, made;
    shown[0] = hd_cut_noted[0] = '\0';
    HD_BUG_ON(!hd_front_wants_survey(front), "escape wants a survey");
    while ((events = hd_trace_next(trace, &count, &err))) hd_front_survey(front, events, count);
    hd_front_survey_end(front);
    hd_trace_rewind(trace);
    while ((events = hd_trace_next(trace, &count, &err))) {
        while (count) {
            size_t taken = hd_front_feed(front, events, count, &steps, &made);
            show(front, trace, steps, made);
            events += taken;
            count -= taken;
        }
    }
    hd_front_finish(front, &steps, &made);
    show(front, trace, steps, made);
    for (uint32_t i = 0; i < hd_notes_count(notes); i++) {
        say(hd_cut_noted, sizeof hd_cut_noted, hd_notes_at(notes, i));
        say(hd_cut_noted, sizeof hd_cut_noted, "; ");
    }
    hd_arena_free(arena);
    hd_trace_free(trace);
    size_t length = strlen(shown);
    if (length) shown[length - 1] = '\0';
    return shown;
}

void hd_cut_mix(uint64_t *seed, int count, char *text, size_t size) {
    static const char *const lines[] = {
        "rd x", "wr y", "acq m", "rel m", "acq n read", "rel n", "fork 2", "join 2", "fork 1",
        "start", "stop", "barr b 1", "bleave b 1", "V s", "P s", "wait c m", "wake c m",
        "notify c", "begin a", "end", "txb t", "txe", "enter f", "exit f", "enter g", "exit g",
        "alloc x", "free x", "escape x", "vrmw x", "fence acquire", "once o", "sleep"};
    size_t length = 0;
    text[0] = '\0';
    for (int i = 0; i < count && length + 64 < size; i++) {
        *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
        length += (size_t)snprintf(text + length, size - length, "%u %s\n",
                                   (unsigned)(*seed >> 60) % 4,
                                   lines[(*seed >> 33) % (sizeof lines / sizeof *lines)]);
    }
}

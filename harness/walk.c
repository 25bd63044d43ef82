/* walk.c - see walk.h. */
#include "walk.h"

#include "checkers/transaction.h"
#include "checkers/warning.h"

int hd_walk(struct hd_trace *trace, const char *transactions, unsigned needs, hd_visit *visit,
            void *argument, struct hd_error *err) {
    int rc = -1;
    struct hd_arena *arena = hd_arena_new();
    struct hd_policy policy;
    if (!arena) {
        hd_fail(err, 0, "out of memory");
        goto out;
    }
    if (hd_policy_parse(arena, transactions, &policy, err) < 0) goto out;
    struct hd_front *front = hd_front_new(arena, trace, &policy, hd_notes_new(arena), needs);
    const struct hd_event *events;
    const struct hd_step *steps;
    size_t count, made;
    hd_trace_rewind(trace);
    if (hd_front_wants_survey(front)) {
        while ((events = hd_trace_next(trace, &count, err)) != NULL) {
            hd_front_survey(front, events, count);
        }
        hd_front_survey_end(front);
        hd_trace_rewind(trace);
    }
    while ((events = hd_trace_next(trace, &count, err)) != NULL) {
        while (count > 0) {
            size_t used = hd_front_feed(front, events, count, &steps, &made);
            for (size_t i = 0; i < made; i++) visit(argument, front, &steps[i]);
            events += used;
            count -= used;
        }
    }
    visit(argument, front, NULL);
    rc = err->text[0] ? -1 : 0;

out:
    hd_arena_free(arena);
    return rc;
}

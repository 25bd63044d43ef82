/* checker.h - from a trace to warnings.
 *
 * A checker sees the steps of one trace, in order, and adds warnings. It knows
 * nothing of how the trace was made, opens no file, prints nothing.
 *
 * Life: needs -> begin -> steps* -> end. State is `state_size` zeroed bytes;
 * everything else comes from the arena of the pass and dies with it.
 *
 * Rules:
 *   (1) Same trace, same switches: same warnings, in the same order. No clock,
 *       no address, no chance.
 *   (2) No trace is odd enough to stop a checker. What cannot be understood
 *       becomes a note; the front end has already dropped what makes no sense
 *       (front.h, rule 8).
 *   (3) No allocation, hashing or search per step where an index does: the ids of
 *       a trace are dense, their number known at begin.
 *   (4) `steps` gets whole batches; what a step points to is gone after the call. */
#ifndef HD_CHECKER_H
#define HD_CHECKER_H

#include "checkers/arena.h"
#include "checkers/front.h"
#include "checkers/warning.h"
#include "sched/trace/trace.h"

/* One `name=value` after a checker's name. */
struct hd_switch {
    const char *name;
    const char *values; /* "a|b|c"; the first is the default. "N": a number, then `fallback` */
    const char *help;
    const char *fallback; /* default of a number */
};

/* What was chosen for one checker. */
struct hd_settings;
const char *hd_setting(const struct hd_settings *settings, const char *name);
bool hd_setting_is(const struct hd_settings *settings, const char *name, const char *value);
uint64_t hd_setting_number(const struct hd_settings *settings, const char *name);

/* What a checker works with. Lives as long as the pass. */
struct hd_pass {
    const struct hd_trace *trace; /* tables only; the events come as steps */
    struct hd_front *front;
    struct hd_arena *arena;
    struct hd_notes *notes;
    const struct hd_settings *settings;
};

struct hd_checker_ops {
    const char *name;  /* what --checkers takes, and a verdict lists */
    const char *finds; /* one line: what a warning from here claims */
    const char *after; /* the paper it follows, or NULL; departures noted in the .c */
    const struct hd_switch *switches; /* ended by a NULL name; NULL: none */
    size_t state_size; /* bytes of state, zeroed before begin */
    unsigned (*needs)(const struct hd_settings *settings); /* enum hd_need */
    void (*begin)(void *state, const struct hd_pass *pass);
    void (*steps)(void *state, const struct hd_step *steps, size_t count,
                  struct hd_warnings *out);
    void (*end)(void *state, struct hd_warnings *out); /* last words; NULL: none */
};

extern const struct hd_checker_ops *const hd_checkers[]; /* ended by NULL, in help order */
const struct hd_checker_ops *hd_checker_find(const char *name, size_t length);

#endif

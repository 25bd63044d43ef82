/* strangers.h - functions that --transactions @FILE names and that nobody has met.
 *
 * A name with a slip in it, a function that was not called, or a static one that the
 * compiler put into its callers: what the user asked for is then not looked at, and
 * has to be told. */
#ifndef HD_STRANGERS_H
#define HD_STRANGERS_H

#include "checkers/run.h"
#include "verdict.h"

struct hd_strangers {
    char **names;
    size_t count;
    bool begun;
};

/* Those that are strange to this report, too, stay so. */
void hd_strangers_meet(struct hd_strangers *self, const struct hd_report *report);
void hd_strangers_note(const struct hd_strangers *self, struct hd_verdicts *doc);
void hd_strangers_free(struct hd_strangers *self);

/* What is said of one. */
#define HD_STRANGER                                                                      \
    "function %s, which --transactions names, is called nowhere in the trace; a static " \
    "one may be inlined: build with -fno-inline to have it seen"

#endif

/* say.h - every sentence about a verdict that a person reads.
 *
 * A message says what, where, and what to type next. Talk goes to standard
 * error; colour only if that is a terminal and nobody asked for none. */
#ifndef HD_SAY_H
#define HD_SAY_H

#include "verdict.h"

#include <stdbool.h>
#include <stdio.h>

struct hd_say {
    FILE *out;
    bool color;
    const char *file;    /* where the verdicts are, for `heddle replay`; NULL: nowhere */
    const char *command; /* what was run, for "again with more": "test ./prog 4" */
    const struct hd_verdicts *baseline; /* what is known already, or NULL */
};

/* --no-color, NO_COLOR in the environment, TERM=dumb and pipes turn it off. */
bool hd_say_color(FILE *out, bool no_color);

/* "deposit is not atomic on balance" */
void hd_say_claim(const struct hd_verdict_warning *warning, char *buffer, size_t room);

void hd_say_failure(const struct hd_say *say, const struct hd_verdicts *doc,
                    const struct hd_verdict_failure *failure);
void hd_say_warning(const struct hd_say *say, const struct hd_verdicts *doc,
                    const struct hd_verdict_warning *warning);
/* One line for the worst that was found, if it is bad, and one with the command that
 * runs it again. */
void hd_say_brief(const struct hd_say *say, const struct hd_verdicts *doc);
/* Failures, warnings (the worst first), notes, and a closing line. */
void hd_say_verdicts(const struct hd_say *say, const struct hd_verdicts *doc);

#endif

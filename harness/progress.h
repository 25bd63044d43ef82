/* progress.h - one line on standard error that says how far a search is. */
#ifndef HD_PROGRESS_H
#define HD_PROGRESS_H

#include "option.h"

#include <stdbool.h>
#include <stdint.h>

struct hd_progress_line {
    bool on, terminal, shown;
    double start, last; /* seconds; when a line was last shown */
};

struct hd_far { /* how far */
    uint64_t executions, of;   /* done, and the budget of them */
    uint64_t distinct, failed; /* classes; executions that failed */
    uint64_t depth, bound;     /* of the search; 0: has none */
    double share;              /* of the search, 0 to 1; 0: not known */
    double time;               /* budget in seconds */
};

void hd_progress_begin(struct hd_progress_line *self, const struct hd_options *options);
/* Shows a line, but not more often than a person can read. */
void hd_progress_show(struct hd_progress_line *self, const struct hd_far *far);
/* The line goes away; what is said next stands where it was. */
void hd_progress_end(struct hd_progress_line *self);

/* The line as text, for `seconds` since the begin. */
void hd_progress_text(const struct hd_far *far, double seconds, char *text, size_t size);

#endif

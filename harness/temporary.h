/* temporary.h - a file for the length of one run, in TMPDIR or else in /tmp. */
#ifndef HD_TEMPORARY_H
#define HD_TEMPORARY_H

#include "schedule.h"

struct hd_temporary {
    char strategy[480]; /* of a schedule: the strategy that follows it, "replay:PATH" */
    char *path;         /* NULL: there is none */
};

/* 0, or -1 with err. */
int hd_temporary_open(struct hd_temporary *self, const char *what, struct hd_error *err);
/* The same, with this schedule in it as the runtime reads it. */
int hd_temporary_schedule(struct hd_temporary *self, const struct hd_schedule *schedule,
                          struct hd_error *err);
void hd_temporary_drop(struct hd_temporary *self); /* also where opening failed, and twice */

#endif

/* highlevel.h - views: which variables a lock region used, shared by its two files.
 *
 * highlevel.c collects them while the trace goes by, highlevel_judge.c compares
 * them at the end. */
#ifndef HD_HIGHLEVEL_H
#define HD_HIGHLEVEL_H

#include "checkers/checker.h"

#define HD_VIEWS_MOST 400 /* distinct ones of one thread and lock */

/* What one region used: one per distinct content and period. */
struct hd_view {
    uint32_t used, written; /* interned sets of granules */
    uint32_t period;
    struct hd_access *uses; /* an access to each element of `used`, of the first such region */
    uint64_t seq;           /* when that region began */
    uint32_t site;          /* and where */
};

struct hd_views {
    uint32_t lock;
    uint16_t thread;
    struct hd_view *views;
    uint32_t count, room;
    bool full;
};

struct hd_view_table {
    const struct hd_pass *pass;
    struct hd_locksets *sets; /* of granules; the same machinery */
    struct hd_periods *periods; /* NULL: happen-before is off */
    bool needs_write;
    struct hd_views *of; /* per lock and thread that occur */
    size_t count, room;
};

void hd_views_judge(struct hd_view_table *table, struct hd_warnings *out);

#endif

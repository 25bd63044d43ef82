/* between.h - did another thread come in between two parts that belong together?
 *
 * For high-level races: what a thread does in two regions is meant as one. A way is
 * where the two parts are and where others may come in between; a warning has one, and
 * one for each of its variants. For stale values the second part is the use of what
 * the first has read, and whoever writes it comes in between.
 *
 * Parts that one call does belong together in either order: in a loop, each comes after
 * the other. Those of different calls do in the order they were warned of: what comes in
 * between two calls of one function is between its whole work and its whole work. */
#ifndef HD_BETWEEN_H
#define HD_BETWEEN_H

#include "checkers/warning.h"
#include "sched/trace/trace.h"

#include <stdbool.h>
#include <stdint.h>

struct hd_way {
    uint64_t parts[2];   /* identities of places of one thread */
    uint64_t between[8]; /* of others; none: whoever writes */
    uint32_t count;
};

struct hd_ways {
    struct hd_way *list;
    uint32_t count, room;
};

/* The ways of a warning and its variants; those that are there already stay one. */
void hd_ways_add(struct hd_ways *self, const struct hd_trace *trace,
                 const struct hd_warning *warning);
void hd_ways_free(struct hd_ways *self);

enum hd_came {
    HD_NOT_BETWEEN,
    HD_CUT,           /* a thread saw the first part done, and the program ended before the second:
                       * it was not left alone */
    HD_TORN,          /* a thread that saw the first part done ended the program before the second */
    HD_BETWEEN_CALLS, /* some thread's accesses in between conflict with both parts, directly or
                       * by what a third one wrote; nobody did both parts in one call */
    HD_BETWEEN        /* the same, and one call did both */
};

/* By which accesses: events of the trace, counted from 0, in their order. */
struct hd_between {
    uint64_t events[4];
    uint32_t count;
};

/* In this execution, by any way. `by` may be NULL; it is filled where both parts came. `failing`: the thread that ended the program, or NULL. */
enum hd_came hd_came_between(const struct hd_ways *self, struct hd_trace *trace,
                             const char *failing, struct hd_between *by, struct hd_error *err);

#endif

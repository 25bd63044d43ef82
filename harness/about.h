/* about.h - what tells one failure from another.
 *
 * A failure is known by its kind, the function it came in, and what is said of it
 * without that which moves: files, lines, threads, numbers of allocations, values.
 * Threads that stand still are known by the circle in which they wait (sched/stuck.c),
 * begun where its text is least, so that it does not matter who came first. */
#ifndef HD_ABOUT_H
#define HD_ABOUT_H

#include "session.h"

/* In words, kept in the session's document. */
const char *hd_about(struct hd_session *session, const struct hd_ending *ending,
                     const struct hd_place *place);
/* Is the ending, of the same kind, that failure? About the same and, but for a circle, on
 * the same line. */
bool hd_about_same(const struct hd_verdict_failure *failure, const struct hd_ending *ending,
                   const struct hd_place *place, const char *about);

#endif

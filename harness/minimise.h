/* minimise.h - a failing schedule that a person can read.
 *
 * By running it again: switches are taken out one by one, as long as what is
 * left still fails in the same way. Fewest preemptions first (a switch away from
 * a thread that could have gone on), then fewest stretches. */
#ifndef HD_MINIMISE_H
#define HD_MINIMISE_H

#include "session.h"

/* Replaces the failure's schedule by a simpler one, if it finds one
 * within `tries` executions, and before hd_seconds() is `until`. */
void hd_minimise(struct hd_session *session, struct hd_verdict_failure *failure, unsigned tries,
                 double until);

#endif

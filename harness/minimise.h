/* minimise.h - a failing schedule that a person can read.
 *
 * By running it again: switches are taken out one by one, as long as what is
 * left still fails in the same way. Fewest preemptions first (a switch away from
 * a thread that could have gone on), then fewest stretches. That there is none with
 * fewer preemptions is then searched for, in at most 2000 executions: where that is
 * enough, there is none. Of stretches there may be fewer. */
#ifndef HD_MINIMISE_H
#define HD_MINIMISE_H

#include "session.h"

/* Replaces the failure's schedule by a simpler one, if it finds one
 * within about twice `most` executions and that search, and before hd_seconds() is `until`. */
void hd_minimise(struct hd_session *session, struct hd_verdict_failure *failure, unsigned most,
                 double until);

#endif

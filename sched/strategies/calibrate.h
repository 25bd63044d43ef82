/* calibrate.h - a first run that only measures.
 *
 * Some strategies need to know beforehand how long an execution is, or how many
 * operations each thread has. They run the program once as round-robin would,
 * and count. That run is not one of the exploration's: it is the same in every
 * process that shares the work, so the numbers do not depend on who does how
 * much of it. */
#ifndef HD_CALIBRATE_H
#define HD_CALIBRATE_H

#include "sched/runtime.h"
#include "sched/strategy.h"

struct hd_calibration {
    bool begun, done;
    uint64_t steps; /* visible operations of the measuring run */
};

/* Call first in begin_run; true: this is the measuring run. */
static inline bool hd_calibrate_begin(struct hd_calibration *self) {
    self->done = self->begun;
    self->begun = true;
    return !self->done;
}

/* Call first in end_run; true: this was the measuring run. */
static inline bool hd_calibrate_end(struct hd_calibration *self) {
    if (self->done) return false;
    self->steps = hd_rt->steps;
    hd_rt->outcome.blocked = true; /* it does not count */
    return true;
}

int hd_round_robin_pick(const struct hd_choice *choice);

#endif

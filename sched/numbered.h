/* numbered.h - sharing out executions that follow from their numbers.
 *
 * A piece of work is a stretch of numbers. Those that were given out lie ahead of
 * the search, one after the other, and it takes each when it comes to its first
 * number; what a worker did not get to of it is run here. */
#ifndef HD_NUMBERED_H
#define HD_NUMBERED_H

#include "parcel.h"

#include <stdbool.h>
#include <stdint.h>

#define HD_STRETCHES_AHEAD 256

struct hd_numbered {
    uint64_t stretch;     /* executions in a piece of work */
    uint64_t next, end;   /* there: what is to be run */
    uint64_t ahead;       /* here: the first number that was not given out */
    struct {
        uint64_t first;
        uint32_t id;
    } given[HD_STRETCHES_AHEAD]; /* a ring */
    uint32_t first, count;
    uint32_t open;        /* id of what is being taken; 0: none */
};

/* As in struct hd_share_ops; `run` is the number that comes next here. */
bool hd_numbered_offer(struct hd_numbered *self, uint64_t run, uint32_t id,
                       struct hd_parcel *task);
void hd_numbered_accept(struct hd_numbered *self, struct hd_parcel *task);
bool hd_numbered_next(struct hd_numbered *self, uint64_t *run);
void hd_numbered_forget(struct hd_numbered *self);
/* Was this one done ahead? Then it is taken (worker.h). */
bool hd_numbered_take(struct hd_numbered *self, uint64_t run);

#endif

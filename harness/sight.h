/* sight.h - executions in which something happened, one of each outcome.
 *
 * Which outcome does harm is known only when all have been seen; the schedule that is
 * kept in the end must be one that shows it. */
#ifndef HD_SIGHT_H
#define HD_SIGHT_H

#include "schedule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HD_SIGHTS 256 /* outcomes of one question; of more nothing is kept */

struct hd_sight {
    struct hd_schedule *schedule;
    uint32_t outcome;
    bool pending; /* race: both stood before their accesses */
};

struct hd_sights {
    struct hd_sight *list;
    uint32_t count, room;
};

/* One more execution. Of one outcome the better one is kept: pending, then short. */
void hd_sights_note(struct hd_sights *self, const struct hd_schedule *schedule, uint32_t outcome,
                    bool pending);
void hd_sights_free(struct hd_sights *self);

#endif

/* met.h - which threads touched a variable, and whether two of them could have met.
 *
 * Several lockset algorithms ask whether some write's period is concurrent with
 * some other access's. The answer only ever turns from no to yes, so each new
 * access is compared with what was there and the result kept. Of each thread
 * the latest period is enough: a period that has not yet begun and is concurrent
 * with an older one of a thread is concurrent with its newer ones too, because
 * it cannot lie before a period that has already begun. */
#ifndef HD_MET_H
#define HD_MET_H

#include "checkers/arena.h"
#include "checkers/period.h"

struct hd_met {
    uint32_t *periods[2]; /* of reads, of writes: the latest per thread */
    uint32_t count[2];
    uint32_t room[2];
    bool write_write; /* two writes are concurrent */
    bool write_read;
};

void hd_met_add(struct hd_met *met, struct hd_arena *arena, const struct hd_periods *periods,
                uint32_t period, bool write);

#endif

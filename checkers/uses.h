/* uses.h - which variables a stretch of a thread used, and how.
 *
 * A list that is cheap to add to and sorted now and then. Lists are used again:
 * emptied, not freed. */
#ifndef HD_USES_H
#define HD_USES_H

#include "checkers/checker.h"

struct hd_use {
    uint32_t word; /* granule * 2 + written */
    struct hd_access access; /* the first such one */
};

struct hd_uses {
    struct hd_use *used; /* sorted and without doubles up to `sorted` */
    uint32_t count, room, sorted;
};

void hd_uses_add(struct hd_arena *arena, struct hd_uses *uses, const struct hd_step *step,
                 bool write);
/* By granule, reads before writes, each once. */
void hd_uses_compact(struct hd_uses *uses);

#endif

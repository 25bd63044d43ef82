/* work.h - what this process and its workers share. See worker.h. */
#ifndef HD_WORK_H
#define HD_WORK_H

#include "runtime.h"
#include "worker.h"

#define HD_WORK_ROOM (1u << 20) /* bytes of one piece of work: its task, then its results */

/* A piece of work, in memory that is shared. */
struct hd_work {
    uint32_t state; /* enum hd_work_state; a futex */
    uint32_t hurry; /* somebody waits: stop after this execution */
    uint32_t task;  /* bytes of its description */
    uint32_t member; /* hd_rt->member */
    uint32_t runs;  /* executions that were done */
    uint32_t used;  /* bytes in all */
    uint32_t spoiled; /* it cannot be used */
    char bytes[HD_WORK_ROOM];
};

enum hd_work_state { HD_WORK_NONE, HD_WORK_GIVEN, HD_WORK_AWAITED, HD_WORK_DONE };

/* Before each execution in a piece of work. */
struct hd_work_head {
    struct hd_ran ran;
    uint32_t own, text; /* bytes of the strategy and of lines that follow */
    bool incomplete;    /* hd_rt->incomplete */
};

/* Where a worker is told what to do: a futex. */
enum hd_desk { HD_DESK_FREE, HD_DESK_ASLEEP, HD_DESK_GONE, HD_DESK_FIRST /* + number of the work */ };

struct hd_hall {
    uint32_t desks[64];
    struct hd_work works[];
};

/* worker_there.c: never comes back. */
void hd_worker_begin(struct hd_hall *hall, uint32_t me, const struct hd_worker_task *task,
                     const struct hd_share_ops *share) __attribute__((noreturn));

/* Wait until *word is not `value`, for a moment by looking, then for up to
 * `milliseconds` asleep, which *word says if `asleep` is put there. */
void hd_work_wait(uint32_t *word, uint32_t value, uint32_t asleep, uint32_t milliseconds);
/* *word becomes `value`, and who sleeps by it is woken. */
void hd_work_set(uint32_t *word, uint32_t value, uint32_t asleep);

/* numbered.c: of strategies whose executions follow from their numbers. */
extern const struct hd_share_ops hd_share_numbered;

#endif

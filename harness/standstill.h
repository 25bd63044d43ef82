/* standstill.h - who waits for whom, of threads that stand still.
 *
 * The message of a deadlock (sched/report.c) has one part for each thread: what it
 * waits for, and who holds that. The question is always about some of them: the rest
 * may wait for those, or for something else. */
#ifndef HD_STANDSTILL_H
#define HD_STANDSTILL_H

#include <stdbool.h>
#include <stdint.h>

struct hd_circle { /* of threads, each waiting for the next one */
    char locks[8][128]; /* names of what is waited for, each by one of them */
    uint32_t lock_count;
    bool joins; /* one of them joins the next one */
};

enum hd_standing {
    HD_STANDING_ELSE,   /* they stand still for something else */
    HD_STANDING_UNSURE, /* the message does not tell all, or not who holds it */
    HD_STANDING_SO
};

/* Is there such a circle among those of the message? */
enum hd_standing hd_standstill(const char *message, const struct hd_circle *circle);

#endif

/* blame.h - which races does a failure come of?
 *
 * Of an execution that failed, any of its races may be the cause. One that is in a
 * smallest set of races (none can be left out, as far as was seen) with which an
 * outcome came is held to be one: two races of which each makes the program fail are
 * both, and one that merely was there when something else failed is not. */
#ifndef HD_BLAME_H
#define HD_BLAME_H

#include <stdbool.h>
#include <stdint.h>

struct hd_blame {
    struct hd_blame_set {
        uint32_t outcome;
        uint32_t *races;
        uint32_t count;
    } *list; /* none of an outcome is part of another of it */
    uint32_t count, room;
    bool full; /* there was no room for some */
};

/* An execution with this outcome, that failed, had these races. */
void hd_blame_note(struct hd_blame *self, uint32_t outcome, const uint32_t *races, uint32_t count);
/* Did some failure come of it? */
bool hd_blame_has(const struct hd_blame *self, uint32_t race);

/* The same for transactions that were torn: those that did not run as one step. Of these
 * sets only some members count. Has some execution with this outcome none of them? Then
 * it is serial. */
bool hd_blame_spared(const struct hd_blame *self, uint32_t outcome, const bool *counts);
/* Is it in a smallest set of them with which the outcome came? */
bool hd_blame_of(const struct hd_blame *self, uint32_t outcome, uint32_t one, const bool *counts);

void hd_blame_free(struct hd_blame *self);

#endif

/* velodrome_again.h - a second look at a short trace, by the judge.
 *
 * The graph of graph.h is not kept, so when several cycles meet, a transaction that
 * had ended before the last edge came may go without blame. A confirmation wants to
 * know of each. So the operations of a short trace are noted, and if there was a
 * cycle, the judge hears them all once more and names every victim. Of a longer trace
 * nothing is kept; a note says so if it mattered. */
#ifndef HD_VELODROME_AGAIN_H
#define HD_VELODROME_AGAIN_H

#include "checkers/graph_cycle.h"

#define HD_AGAIN_MOST 65536 /* operations: a few megabytes */

struct hd_again_op {
    struct hd_access op;
    uint32_t aux, region;
    uint8_t marks;
    bool lock; /* a wait or wake that has one */
};

struct hd_again {
    struct hd_arena *arena;
    const struct hd_trace *trace;
    struct hd_again_op *ops;
    size_t count, room;
    uint32_t tm;
    bool over; /* too many */
};

void hd_again_begin(struct hd_again *a, const struct hd_pass *pass);
void hd_again_note_slow(struct hd_again *a, const struct hd_step *step);
static inline void hd_again_note(struct hd_again *a, const struct hd_step *step) {
    if (!a->over) hd_again_note_slow(a, step);
}

/* The judge's word: `blame` is called for each region that is asked for and has a
 * victim. Stop 0 of the cycle is the victim. */
void hd_again_decide(struct hd_again *a, bool (*asked)(void *context, uint64_t region),
                     void (*blame)(void *context, const struct hd_cycle *cycle), void *context);

#endif

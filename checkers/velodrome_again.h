/* velodrome_again.h - a second look at a short trace, by the judge.
 *
 * The graph of graph.h is not kept, so it cannot tell every transaction that a
 * cycle accuses, nor which of them were only in the way. A confirmation wants to
 * know. So the operations of a short trace are noted, and if there was a cycle, the
 * judge hears them all once more and names the victims.
 *
 * What only one thread accesses orders nothing, and a trace is mostly that. So of such
 * a variable only the last read and the last write are kept, until another thread
 * comes: that one is ordered with these two, and with none before them. A trace with
 * more than HD_AGAIN_MOST other operations is too long; a note says so if it mattered. */
#ifndef HD_VELODROME_AGAIN_H
#define HD_VELODROME_AGAIN_H

#include "checkers/graph_cycle.h"

#define HD_AGAIN_MOST 65536 /* operations: a few megabytes */

struct hd_again_op {
    struct hd_access op;
    uint64_t group; /* number of the first step of its operation */
    uint32_t aux, region;
    uint8_t marks;
    bool lock; /* a wait or wake that has one */
};

struct hd_again_variable {
    uint16_t owner; /* the first thread, + 1 */
    bool shared;
    uint32_t last[2]; /* its last read and write: index in `own`, + 1 */
};

struct hd_again {
    struct hd_arena *arena;
    const struct hd_trace *trace;
    struct hd_again_op *ops;
    size_t count, room;
    struct hd_again_variable *variables; /* by granule */
    size_t variable_room;
    struct hd_again_op *own; /* of variables that one thread has for itself */
    size_t own_count, own_room;
    struct hd_again_op *late; /* of those, what another thread has met since */
    size_t late_count, late_room;
    uint64_t *groups; /* by thread: of its last step */
    size_t group_room;
    uint32_t tm;
    bool over; /* too many */
};

void hd_again_begin(struct hd_again *a, const struct hd_pass *pass);
void hd_again_note_slow(struct hd_again *a, const struct hd_step *step);
static inline void hd_again_note(struct hd_again *a, const struct hd_step *step) {
    if (!a->over) hd_again_note_slow(a, step);
}

/* The judge's word: `blame` is called once for each region that has a victim. Stop 0
 * of the cycle is the victim. Nothing is said if it turns out to be `over`. */
void hd_again_decide(struct hd_again *a,
                     void (*blame)(void *context, const struct hd_cycle *cycle), void *context);

/* The note on a trace that has a cycle and was too long: silence about a transaction
 * says nothing. */
#define HD_AGAIN_UNSURE                                                                \
    "velodrome: a long trace with cycles; a transaction that was interrupted in it may go " \
    "without blame"

#endif

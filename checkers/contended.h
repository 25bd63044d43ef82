/* contended.h - which granules two threads can reach for at the same time.
 *
 * A granule is contended iff two threads access it in concurrent periods and one of
 * them writes. Whatever else a predicting checker looks for, it looks for a conflict
 * that could go the other way; the conflicts of all other granules are kept in order
 * by start, join and barrier. In programs that compute that is nearly all of memory,
 * so one cheap pass that says which granules are left saves most of the dear one.
 *
 * After Flanagan and Freund's FastTrack, with periods in place of lock edges. It finds
 * the first concurrent conflict of a granule exactly, and no more is asked for.
 *
 * Rules:
 *   (1) All events of a trace, in order: accesses to hd_contended_access, granule by
 *       granule, others to hd_contended_event, and hd_contended_goes_on before the
 *       event of a thread that follows its arrival at a barrier.
 *   (2) What costs too much to follow counts as contended: more concurrent readers
 *       than READERS_MOST, a thread with more periods than an epoch can count. */
#ifndef HD_CONTENDED_H
#define HD_CONTENDED_H

#include "checkers/arena.h"
#include "sched/trace/trace.h"

/* An epoch is a period of a thread in one word; 0 is none. */
struct hd_contended_cell {
    uint32_t write; /* epoch of the last write, HD_CONTENDED or HD_GONE */
    uint32_t read;  /* of the reads since, if one is after all others; else a list;
                       HD_CONTENDED: is it settled? */
};

#define HD_CONTENDED UINT32_MAX
#define HD_GONE (UINT32_MAX - 1)

struct hd_contended {
    struct hd_contended_cell *cells; /* by granule */
    uint32_t *now;                   /* by thread: its epoch, or 0: not to be told */
    uint32_t thread_bits, thread_count;
    uint32_t *clocks; /* of few threads: by thread, how far it is with each; or NULL */
    struct hd_arena *arena;
    struct hd_periods *periods;
    struct hd_contended_stop *stops; /* by thread: the barrier it is in */
    struct hd_contended_reader *readers;
    size_t reader_room;
    uint32_t reader_count, reader_free;
};

void hd_contended_begin(struct hd_contended *self, struct hd_arena *arena,
                        uint32_t granules, uint32_t threads);
void hd_contended_event(struct hd_contended *self, const struct hd_event *event);
void hd_contended_goes_on(struct hd_contended *self, const struct hd_event *event);

/* These granules are gone: who accesses them all the same is not taken for known, and
 * contends for them. */
void hd_contended_gone(struct hd_contended *self, uint32_t first, uint32_t count);

/* False: the thread is known to have accessed this granule before. */
bool hd_contended_access(struct hd_contended *self, uint32_t thread, uint32_t granule,
                         bool writes);
/* As many of the first events as are accesses of one thread, to variables of one
 * granule each that no other has accessed since its last access, or that are settled:
 * most of a program that computes. Returns how many; none of the accesses is new in the sense above. */
size_t hd_contended_stretch(struct hd_contended *self, const uint32_t *granule_of,
                            const struct hd_event *events, size_t count);

static inline bool hd_contended_is(const struct hd_contended *self, uint32_t granule) {
    return self->cells[granule].write == HD_CONTENDED;
}

/* If it is contended, nobody asks any more who accesses it: everybody is known to. */
static inline void hd_contended_settle(struct hd_contended *self, uint32_t granule) {
    self->cells[granule].read |= hd_contended_is(self, granule);
}

#endif

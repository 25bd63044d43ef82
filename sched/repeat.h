/* repeat.h - which accesses say nothing that was not said before.
 *
 * A stretch of a thread ends where something happens that orders it with others
 * or divides it: a point, or the begin or end of what may be a transaction. In
 * between, the accesses of the thread to one variable which nobody else comes between
 * hold the same locks and lie in the same transaction and period. All that can tell
 * them apart is their order among themselves:
 *
 *   R R   the second read sees another value if a write comes between (R-W-R)
 *   R W   an update is lost (R-W-W)
 *   W R   what was written is not what is read (W-W-R)
 *   W W   a value in between is seen (W-R-W)
 *
 * where rule (a) of the blocks (checkers/blocks_build.h) pairs an access with the
 * last write before it, or else the last read; the others use less: whether
 * something was read, was written, was accessed more than once. So at most five are
 * told: two reads, a write, then another write and a read in either order. A sixth
 * makes no pair that is not there. (Where it stands among accesses to other
 * variables matters to nobody either: two accesses of one stretch can be kept apart
 * by the same events of others in either order.)
 *
 * When nothing is recorded, all that counts is which accesses race (access.c): a
 * write stands for all that follow it, a read for reads.
 *
 * test_every_access.sh compares what every checker says with and without the rest. */
#ifndef HD_REPEAT_H
#define HD_REPEAT_H

#include <stdbool.h>

enum hd_said {
    HD_SAID_WRITE = 1, /* another write says nothing new */
    HD_SAID_READ = 2,  /* another read */
    HD_SAID_WROTE = 4, /* there was a write */
};
#define HD_SAID_BITS 3
#define HD_SAID_NONE (1u << HD_SAID_BITS) /* and more: of another stretch */

static inline bool hd_said(unsigned said, bool write) {
    return said < HD_SAID_NONE && (said & (write ? HD_SAID_WRITE : HD_SAID_READ));
}

/* After the first access of a stretch, recorded. */
static inline unsigned hd_said_first(bool write) { return write ? HD_SAID_WROTE : 0; }

/* After one more that says something new. */
static inline unsigned hd_said_after(unsigned said, bool write) {
    if (said >= HD_SAID_NONE) return hd_said_first(write);
    if (!write) return said | HD_SAID_READ;
    return said & HD_SAID_WROTE ? said | HD_SAID_WRITE : HD_SAID_WROTE;
}

/* The same when nothing is recorded. */
static inline unsigned hd_said_unrecorded(bool write) {
    return write ? HD_SAID_READ | HD_SAID_WRITE | HD_SAID_WROTE : HD_SAID_READ;
}

#endif

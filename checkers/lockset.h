/* lockset.h - sets of locks as small numbers.
 *
 * Each distinct set exists once and is known by a dense id, so equal sets have
 * equal ids, a set costs four bytes wherever it is kept, and the answer to a
 * question about two sets can be remembered under their ids. Id 0 is the empty
 * set.
 *
 * An element is a lock and how it is held: HD_LOCK_SHARED(l) by a reader of a
 * reader-writer lock, HD_LOCK_EXCLUSIVE(l) by everyone else. Two questions need
 * the mode, all others are plain set theory:
 *
 *   - can two threads that hold these sets be where they are at one moment?
 *     Not if they share a lock that one of them holds exclusively
 *     (hd_lockset_exclude).
 *   - which of these locks protect this access? A read is protected by a lock in
 *     either mode, a write only by one held exclusively (hd_lockset_guards: the
 *     answer has exclusive elements only, so that the guards of a read and of a
 *     write may be intersected, and are empty iff the two can race).
 *
 * A lock is the id of a sync of the trace, or the one past the last: the single
 * lock that stands for all memory transactions (HD_TM in front.h). */
#ifndef HD_LOCKSET_H
#define HD_LOCKSET_H

#include "checkers/arena.h"

#include <stdbool.h>
#include <stdint.h>

#define HD_LOCK_SHARED(lock) ((uint32_t)(lock) * 2)
#define HD_LOCK_EXCLUSIVE(lock) ((uint32_t)(lock) * 2 + 1)
#define HD_LOCK_OF(element) ((element) / 2)
#define HD_LOCK_IS_EXCLUSIVE(element) ((element)&1)

#define HD_LOCKSET_EMPTY 0u
#define HD_LOCKSET_ALL UINT32_MAX /* "not yet known": the neutral element of meet */

struct hd_locksets;

struct hd_locksets *hd_locksets_new(struct hd_arena *arena);
uint32_t hd_locksets_count(const struct hd_locksets *sets);

/* The elements of a set, ascending; borrowed until the next set is made. */
const uint32_t *hd_lockset_elements(const struct hd_locksets *sets, uint32_t id,
                                    uint32_t *count);
uint32_t hd_lockset_size(const struct hd_locksets *sets, uint32_t id);
bool hd_lockset_has(const struct hd_locksets *sets, uint32_t id, uint32_t element);
bool hd_lockset_has_lock(const struct hd_locksets *sets, uint32_t id, uint32_t lock);

/* Sets from sets. All remembered: asking again costs one probe. */
uint32_t hd_lockset_of(struct hd_locksets *sets, const uint32_t *elements, uint32_t count);
uint32_t hd_lockset_add(struct hd_locksets *sets, uint32_t id, uint32_t element);
uint32_t hd_lockset_remove(struct hd_locksets *sets, uint32_t id, uint32_t element);
uint32_t hd_lockset_meet(struct hd_locksets *sets, uint32_t a, uint32_t b); /* intersection */
uint32_t hd_lockset_join(struct hd_locksets *sets, uint32_t a, uint32_t b); /* union */

bool hd_lockset_subset(struct hd_locksets *sets, uint32_t a, uint32_t b); /* a within b */
bool hd_lockset_disjoint(struct hd_locksets *sets, uint32_t a, uint32_t b);
bool hd_lockset_exclude(struct hd_locksets *sets, uint32_t a, uint32_t b);

/* The locks that protect a read or a write made with `held` held. */
uint32_t hd_lockset_guards(struct hd_locksets *sets, uint32_t held, bool write);

#endif

/* race_pairs.h - the exact question: which two accesses can race?
 *
 * Definition: two accesses of different threads to one variable, at least one a
 * write, in concurrent periods, with no lock that protects both. */
#ifndef HD_RACE_PAIRS_H
#define HD_RACE_PAIRS_H

#include "checkers/detector.h"

struct hd_pairs;

struct hd_pairs *hd_pairs_new(const struct hd_pass *pass);
/* Called for each pair that an access completes. */
typedef void hd_pairs_hit(void *context, const struct hd_step *step,
                          const struct hd_access *other);
/* True: the access races with an earlier one. `hit` may be NULL. An access that
 * says nothing new (same period, no fewer locks, same kind) completes no pair. */
bool hd_pairs_access(struct hd_pairs *pairs, const struct hd_step *step, hd_pairs_hit *hit,
                     void *context);
bool hd_pairs_racy(const struct hd_pairs *pairs, uint32_t granule);

#endif

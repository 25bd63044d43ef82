/* race_multilockset.h - a look into the multilockset detector, for reports and tests. */
#ifndef HD_RACE_MULTILOCKSET_H
#define HD_RACE_MULTILOCKSET_H

#include "checkers/detector.h"

/* The sets of a variable: minimal read sets, and the write set (HD_LOCKSET_ALL
 * before the first write). Returns how many read sets there are. */
uint32_t hd_multilockset_sets(const struct hd_detector *detector, uint32_t granule,
                              const uint32_t **reads, uint32_t *write);

#endif

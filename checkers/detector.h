/* detector.h - is this variable racy? The question behind two kinds of checker.
 *
 * The races checker reports what a detector finds; the reduction checkers only
 * want to know whether an access is a mover. So each lockset algorithm is a
 * detector: it sees every plain access and answers at once (online: racy by what
 * was seen so far) and at the end (offline: the final verdict).
 *
 * Detectors by name:
 *   eraser           states virgin, exclusive, shared, shared-modified
 *   eraser-periods   the same, owned by periods: column "happen-before"
 *   praun-gross      with a second exclusive state
 *   flanagan-freund  access- and write-protecting sets; a verdict per access
 *   multilockset     Wang and Stoller's Fig. 3
 *   pairs            exact on locks and periods (race_pairs.h names the pairs)
 *
 * Accesses without HD_MARK_ESCAPED are not shown to a detector; for the columns
 * without escape analysis show it everything. Atomic accesses are not shown. */
#ifndef HD_DETECTOR_H
#define HD_DETECTOR_H

#include "checkers/checker.h"

struct hd_detector;

struct hd_detector_ops {
    const char *name;
    unsigned needs; /* enum hd_need */
    size_t state_size;
    void (*begin)(void *state, const struct hd_pass *pass, bool front);
    bool (*access)(void *state, const struct hd_step *step); /* racy by what was seen so far */
    bool (*racy)(const void *state, uint32_t granule); /* by all that was seen */
};

extern const struct hd_detector_ops *const hd_detectors[]; /* ended by NULL */

/* `front`: for flanagan-freund, no verdict before a second thread came. */
struct hd_detector *hd_detector_open(const char *name, const struct hd_pass *pass, bool front);
unsigned hd_detector_needs(const char *name);
bool hd_detector_access(struct hd_detector *detector, const struct hd_step *step);
bool hd_detector_racy(const struct hd_detector *detector, uint32_t granule);

#endif

/* warning_fill.h - a checker's finding, with names in place of ids.
 *
 * Checkers speak of granules, sites and locksets; a verdict speaks of variables,
 * lines and lock names. Everything that shows a warning goes through here, so
 * that `heddle check` and `heddle test` call the same thing the same. */
#ifndef HD_WARNING_FILL_H
#define HD_WARNING_FILL_H

#include "checkers/run.h"
#include "verdict.h"

/* Fills a zeroed entry of `doc`. `checkers` are all who accuse the same. The
 * verdict is undecided; evidence.reason is the checker's sentence. */
void hd_warning_fill(struct hd_verdicts *doc, struct hd_verdict_warning *to,
                     const struct hd_report *report, const struct hd_warning *from);

/* The warnings to show: of each group those of the checker that comes first in
 * the list, with the names of all who agree (in `to->checkers`). Returns how
 * many; `index` (room for hd_report_count) says which warning of the report each
 * one came from. */
size_t hd_warnings_fill(struct hd_verdicts *doc, const struct hd_report *report,
                        uint32_t *index);

/* One event as an access, with the locks that its thread holds (ids, each once). */
void hd_warning_event(struct hd_verdicts *doc, struct hd_verdict_access *to,
                      const struct hd_report *report, const struct hd_event *event,
                      const uint32_t *locks, size_t lock_count);

/* "read", "write", "acquire", ...: an event as a verdict calls it. */
const char *hd_op_word(unsigned kind);
/* The same of an event with these flags: a write may be that of a free. */
const char *hd_op_word_of(unsigned kind, unsigned flags);

#endif

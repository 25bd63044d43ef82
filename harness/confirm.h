/* confirm.h - the plans of the open questions, a batch at a time.
 *
 * Every open question gets as many tries as every other, the most promising first,
 * so that none starves behind one with many plans, or with a higher score where the
 * budget does not reach for all. */
#ifndef HD_CONFIRM_H
#define HD_CONFIRM_H

#include "question.h"

/* The next `each` untried plans of every open question, but at most `most` in all, as
 * goals for the strategy `goal:PATH`. Those that had fewest tries come first. How many;
 * 0: there are none left; -1 with err. */
int hd_confirm_batch(struct hd_questions *self, uint32_t each, uint64_t most, const char *path,
                     struct hd_error *err);

/* The first plan of one question alone, for a systematic search around it. 1, or 0
 * if it has none; -1 with err. */
int hd_confirm_around(const struct hd_question *question, const char *path,
                      struct hd_error *err);

#endif

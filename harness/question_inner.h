/* question_inner.h - shared by the files behind question.h. */
#ifndef HD_QUESTION_INNER_H
#define HD_QUESTION_INNER_H

#include "question.h"

/* Is it a kind of warning that was asked for? */
bool hd_questions_want(struct hd_questions *self, enum hd_warning_kind kind);
struct hd_question *hd_question_find(struct hd_questions *self, uint64_t identity);

/* What its warning scores. */
int64_t hd_question_score(const struct hd_question *question);

/* The number of an ending's outcome, counted as one more execution of it. */
uint32_t hd_question_outcome_number(struct hd_questions *self, const struct hd_ending *ending);

/* race_pending.c: did both threads stand before these accesses at one moment? */
bool hd_race_pending(struct hd_trace *trace, const struct hd_access *one,
                     const struct hd_access *other, struct hd_error *err);

/* near.c: how far this execution came along the orders that open questions want. */
void hd_question_near(struct hd_questions *self, struct hd_trace *trace, struct hd_error *err);
/* A sentence for an undecided question, or NULL. */
const char *hd_question_near_text(const struct hd_questions *self,
                                  const struct hd_question *question);

#endif

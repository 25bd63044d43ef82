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

/* question_harm.c: of a confirmed question. */
enum hd_impact hd_question_impact(const struct hd_questions *self,
                                  const struct hd_question *question,
                                  const struct hd_verdict_warning *entry);
/* Rule (3b) of question.h: 1 + an outcome of it that is not serial, or 0. */
uint32_t hd_question_together(const struct hd_questions *self, const struct hd_question *question,
                              bool complete);
/* Is that outcome one of executions in which all of them ran as one step? */
bool hd_question_spared(const struct hd_questions *self, uint32_t outcome, bool complete);
/* A race: notes failures that come in one of its orders only, before the second access. */
void hd_question_one_way(const struct hd_questions *self, struct hd_question *question);
/* Did an execution fail because of it? */
bool hd_question_fails(const struct hd_questions *self, const struct hd_question *question);
/* What comes of the two orders of a race: of all cases if all are `known`, else of those
 * that are settled. */
enum hd_twins_word hd_question_twins(const struct hd_questions *self,
                                     const struct hd_question *question, bool known,
                                     struct hd_twins_told *told);
bool hd_question_shares_bits(const struct hd_verdict_warning *entry);
/* The execution to keep: if it does harm, one that shows it. */
struct hd_sight *hd_question_sight(const struct hd_questions *self, struct hd_question *question,
                                   const struct hd_verdict_warning *entry);

/* race_pending.c: did both threads stand before these accesses at one moment? */
bool hd_race_pending(struct hd_trace *trace, const struct hd_access *one,
                     const struct hd_access *other, struct hd_error *err);

/* shown.c: the entry of what was confirmed shows what this execution has of it. */
void hd_question_show(const struct hd_questions *self, const struct hd_question *question,
                      struct hd_verdict_warning *entry, const struct hd_schedule *schedule);

/* near.c: how far this execution came along the orders that open questions want. */
void hd_question_near(struct hd_questions *self, struct hd_trace *trace, struct hd_error *err);
/* A sentence for an undecided question, or NULL. */
const char *hd_question_near_text(const struct hd_questions *self,
                                  const struct hd_question *question);

#endif

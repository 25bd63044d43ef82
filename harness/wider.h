/* wider.h - a question about a function is one about every call of it.
 *
 * Whether a function is a transaction by default is decided for a trace: one that takes
 * more than four locks in it, or waits, or prints, is none (transaction.h). What made a
 * warning of it in one execution may take a fifth lock in the next, and then that
 * execution must be judged as well, or the question would be answered by those alone in
 * which it cannot happen. */
#ifndef HD_WIDER_H
#define HD_WIDER_H

#include "checkers/front.h"
#include "question.h"

/* Is this question about a function that is no transaction in the trace of this report?
 * Then `text` becomes the policy under which it is one. */
enum hd_yields hd_wider(const struct hd_report *report, const struct hd_question *question,
                        const char *transactions, char *text, size_t room);

/* Does it happen under this policy? */
bool hd_wider_happens(struct hd_trace *trace, const struct hd_question *question,
                      const char *policy, struct hd_error *err);

#endif

/* score.h - which warnings to look into first.
 *
 * Agreement of checkers counts most. Between warnings that as many agree on, the
 * evidence of RacerX (Engler & Ashcraft 2003) decides: does this variable look as if
 * somebody meant to protect it? Whoever takes a lock for one variable alone means
 * that one. */
#ifndef HD_SCORE_H
#define HD_SCORE_H

#include "checkers/warning.h"
#include "sched/trace/trace.h"

#include <stdbool.h>
#include <stdint.h>

#define HD_SCORE_AGREEMENT 16 /* more than all the rest together */

/* What a trace says of one variable. Objects are variables that several threads can
 * reach; a critical section is an outermost lock region. */
struct hd_score_facts {
    uint32_t only;            /* critical sections in which it is the only object */
    uint32_t first, last;     /* in which it is the first, the last one */
    uint32_t protected, total; /* accesses: with a lock held, and all */
    uint32_t around;          /* most objects in a stretch without locks that has it */
    bool global;
    bool wide;                /* not written in one step: wider than a word, or unaligned */
};

int64_t hd_score(const struct hd_score_facts *facts, bool write);

struct hd_scores; /* of all variables of a trace */
struct hd_scores *hd_scores_new(struct hd_trace *trace, const char *transactions,
                                struct hd_error *err);
void hd_scores_free(struct hd_scores *self);
/* The highest of its accesses; 0 if it has none. */
int64_t hd_scores_warning(const struct hd_scores *self, const struct hd_warning *warning);

#endif

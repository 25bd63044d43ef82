/* outcome.h - what an execution shows when it is over, as data that its end reads. */
#ifndef HD_OUTCOME_H
#define HD_OUTCOME_H

/* The current thread ends the execution. What others put into the outcome without a point
 * since their last operation could as well be missing: it becomes visible, and a search
 * starts over. */
void hd_outcome_look(void);

#endif

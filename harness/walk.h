/* walk.h - the steps of a trace, one after the other, for whoever is no checker. */
#ifndef HD_WALK_H
#define HD_WALK_H

#include "checkers/front.h"

/* Called with every step, and once with NULL when the trace is over and the front
 * end still there. */
typedef void hd_visit(void *argument, const struct hd_front *front, const struct hd_step *step);

/* `transactions` as --transactions takes it, `needs` of enum hd_need. 0 or -1. */
int hd_walk(struct hd_trace *trace, const char *transactions, unsigned needs, hd_visit *visit,
            void *argument, struct hd_error *err);

#endif

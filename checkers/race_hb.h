/* race_hb.h - races of the run that was observed. */
#ifndef HD_RACE_HB_H
#define HD_RACE_HB_H

#include "checkers/checker.h"

struct hd_hb;

struct hd_hb *hd_hb_new(const struct hd_pass *pass);
/* Called for each earlier access that a step is not ordered after. */
typedef void hd_hb_hit(void *context, const struct hd_step *step, const struct hd_access *other);
void hd_hb_steps(struct hd_hb *hb, const struct hd_step *steps, size_t count, hd_hb_hit *hit,
                 void *context);
bool hd_hb_racy(const struct hd_hb *hb, uint32_t granule);

#endif

/* warning_json.h - warnings of the offline checkers as JSON. */
#ifndef HD_WARNING_JSON_H
#define HD_WARNING_JSON_H

#include "checkers/run.h"
#include "verdict.h"

#include <stdio.h>

/* {"warnings": [...], "notes": [...]}: the warning objects of a verdict file,
 * each with the events of its witness and how often it was seen. `index` is from
 * hd_warnings_fill. 0, or -1 with err. */
int hd_warnings_print_json(const struct hd_verdicts *doc, const struct hd_report *report,
                           const uint32_t *index, FILE *out, struct hd_error *err);

#endif

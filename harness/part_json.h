/* part_json.h - what the *_json.c files share, and nobody else.
 *
 * They alone know Jansson; everybody else sees structs. */
#ifndef HD_PART_JSON_H
#define HD_PART_JSON_H

#include "sched/trace/error.h"
#include "schedule.h"

#include <jansson.h>
#include <stdbool.h>

/* A place in a document for messages: "x.json: warnings[3].score". Kept as a
 * chain on the stack; written out only when something is wrong. */
struct hd_json_place {
    const struct hd_json_place *above;
    const char *key; /* NULL: `index` counts; at the top: the file */
    size_t index;
};

/* Always -1: `return hd_json_refuse(...)`. */
int hd_json_refuse(const struct hd_json_place *place, struct hd_error *err,
                   const char *format, ...) __attribute__((format(printf, 3, 4)));
const char *hd_json_type_name(const json_t *value);

/* Parse text, refusing duplicate keys; the message has line and column. */
json_t *hd_json_parse(const char *text, size_t size, const char *path,
                      struct hd_error *err);

/* Keys in the order they were set, two-space indent; arrays of numbers, strings
 * and pairs are packed into lines, because a schedule has thousands of them. */
int hd_json_print(const json_t *value, FILE *out); /* with a newline at the end */
int hd_json_save(const json_t *value, const char *path, struct hd_error *err);

/* A string for JSON: what is not UTF-8 becomes \xNN. NULL gives null. */
json_t *hd_json_text(const char *text);

struct hd_verdict_warning;
json_t *hd_verdict_warning_json(const struct hd_verdict_warning *warning);

json_t *hd_schedule_to_json(const struct hd_schedule *schedule);
struct hd_schedule *hd_schedule_from_json(const json_t *value,
                                          const struct hd_json_place *place,
                                          struct hd_error *err);

#endif

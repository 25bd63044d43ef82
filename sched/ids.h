/* ids.h - ids for what events are about. They belong to one trace. */
#ifndef HD_IDS_H
#define HD_IDS_H

#include "trace/format.h"
#include "trace/trace.h"

#include <stdbool.h>

struct hd_block;
struct hd_primitive;
struct hd_var;

uint32_t hd_ids_site(void *pc);               /* HD_NO_ID: not the program's code */
uint32_t hd_ids_label(void *pc, bool entry);  /* of the function around it */
uint32_t hd_ids_region(const char *name, void *pc); /* a label by name; HD_NO_ID: too many */
uint32_t hd_ids_object(struct hd_object object, const char *name); /* a new one */
/* `caller`: in the function that called the one that allocates it just now; or NULL. */
uint32_t hd_ids_block(struct hd_block *block, void *caller);
uint32_t hd_ids_variable(struct hd_var *var);
uint32_t hd_ids_sync(struct hd_primitive *primitive);
void hd_ids_threads(void); /* those that are new get names */

void hd_ids_prepare(void); /* once in a process */
void hd_ids_begin(void);   /* of a trace */
void hd_ids_end(void);

/* record.c: an entry of a table, its numbers and up to two strings. */
void hd_record_define(enum hd_table table, uint32_t id, const uint64_t *numbers, unsigned count,
                      const char *first, const char *second);
/* ... and one of a variable, which most often continues the row of the last one. */
void hd_record_variable(uint32_t id, uint32_t object, uint32_t size, uint64_t offset);

#endif

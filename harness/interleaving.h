/* interleaving.h - a recorded execution, shown in columns.
 *
 * What one thread does alone says nothing about a schedule: shown are
 * synchronisation, atomics, output, and accesses to data that more than one
 * thread touches. */
#ifndef HD_INTERLEAVING_H
#define HD_INTERLEAVING_H

#include "sched/trace/error.h"

#include <stdbool.h>
#include <stdio.h>

/* The trace must have names (hd_names_apply). 0, or -1 with err. */
int hd_interleaving_print(const char *trace_path, FILE *out, bool color,
                          struct hd_error *err);

#endif

/* globals.h - static data that an execution changed, by the names of variables.
 *
 * The runtime tells words (sched/globals.h); here they become `count=2 head=0.1#3`.
 * Numbers are printed as unsigned, in as many bytes as the variable has. What has no
 * name is left out: padding, and data of files without debugging information. */
#ifndef HD_GLOBALS_TEXT_H
#define HD_GLOBALS_TEXT_H

#include "names.h"

#include <stdio.h>

void hd_globals_put(FILE *out, struct hd_name_book *book, const char *words);

#endif

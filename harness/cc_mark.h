/* cc_mark.h - naming what was linked without instrumentation.
 *
 * The linked program carries the list in the section `.heddle.uninstrumented`: names,
 * each ended by a NUL, the list by an empty name. In an executable the hidden symbol
 * hd_uninstrumented stands at its beginning; the runtime refers to it weakly. */
#ifndef HD_CC_MARK_H
#define HD_CC_MARK_H

#include "harness/cc_args.h"

/* The path of an object with the list, for the linker; NULL when there is nothing to
 * list. The object lives in memory and is reached through an inherited descriptor, so
 * there is no file to remove. */
const char *hd_cc_mark(const struct hd_cc_args *args);

#endif

/* cc_flags.h - what heddle-cc adds to a command line. */
#ifndef HD_CC_FLAGS_H
#define HD_CC_FLAGS_H

#include "harness/cc_args.h"
#include "harness/cc_tool.h"

/* The whole line to execute: the compiler, the user's words, heddle's. `mark` is the
 * path of the object that names uninstrumented inputs (cc_mark.h), or NULL. Stops with
 * a message when what the line asks for cannot be had. */
void hd_cc_line(const struct hd_cc_tool *tool, const struct hd_cc_args *args,
                const char *mark, struct hd_words *out);

/* Does this line make an executable that gets the runtime? */
bool hd_cc_links_runtime(const struct hd_cc_args *args);

/* Does it make an executable or a shared library, with or without the runtime? */
bool hd_cc_links(const struct hd_cc_args *args);

#endif

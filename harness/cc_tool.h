/* cc_tool.h - the compiler behind heddle-cc, and the files beside it. */
#ifndef HD_CC_TOOL_H
#define HD_CC_TOOL_H

#include "harness/cc_args.h"

struct hd_cc_tool {
    struct hd_words command; /* the compiler, with words that HEDDLE_CC gives it */
    char *program;           /* its file */
    bool clang;
    char *archive; /* libheddle.a */
    char *specs;   /* heddle.specs, what gcc is told; beside the archive */
    char *include; /* folder of heddle.h */
};

/* Who am I called as: `name` is argv[0]. Exits with 2 or 3 and a message when there is no
 * such compiler. */
void hd_cc_tool_find(struct hd_cc_tool *tool, const char *name);

/* Ends with a message on standard error. */
void hd_cc_stop(int status, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));

#endif

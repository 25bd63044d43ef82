/* debug.h - one schedule under a debugger. */
#ifndef HD_DEBUG_H
#define HD_DEBUG_H

#include "option.h"
#include "schedule.h"

/* Starts gdb with the program and lets the user talk to it. gdb's exit status, or -1
 * with err. */
int hd_debug(char **program, const struct hd_schedule *schedule,
             const struct hd_options *options, struct hd_error *err);

#endif

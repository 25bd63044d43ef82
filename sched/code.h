/* code.h - what the instructions of a file tell of it. The runtime's own are not among
 * those looked at. Bytes that are none, but look like one, count: they cost time and
 * nothing else. */
#ifndef HD_CODE_H
#define HD_CODE_H

#include <link.h>
#include <stdbool.h>

/* No system calls, and no code that changes. */
bool hd_code_calls_nothing(const struct dl_phdr_info *info);

/* The frame of every function is at most so large, and of a size that is fixed. */
#define HD_SMALL_FRAME 2048
bool hd_code_has_small_frames(const struct dl_phdr_info *info);

#endif

/* arguments.h - what a printf-like function is given, with the strings as they were
 * when they were read (hold.h). */
#ifndef HD_LIBC_ARGUMENTS_H
#define HD_LIBC_ARGUMENTS_H

#include "hold.h"

#include <stdarg.h>

#define HD_ARGUMENTS 64 /* of one call; what comes after is not looked at */

struct hd_arguments {
    va_list list; /* to be passed on; va_end is the caller's */
    _Alignas(16) uint64_t slots[2 * HD_ARGUMENTS];
};

/* Strings are read in the order of the format, each in its turn. Not looked at: wide
 * strings, and all arguments where the format numbers them (%1$s). */
void hd_hold_arguments(struct hd_arguments *self, const char *format, va_list args, void *pc);

#endif

/* error.c - keeping the first thing that went wrong.
 *
 * Later failures are mostly consequences of the first, so they are dropped. */
#include "error.h"

#include <stdio.h>
#include <string.h>

void hd_fail(struct hd_error *err, uint64_t place, const char *format, ...) {
    if (!err || err->text[0]) return;
    va_list args;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    err->place = place;
    err->cause = 0;
}

void hd_fail_system(struct hd_error *err, int cause, const char *format, ...) {
    if (!err || err->text[0]) return;
    va_list args;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    size_t used = strlen(err->text);
    snprintf(err->text + used, sizeof err->text - used, ": %s", strerror(cause));
    err->place = 0;
    err->cause = cause;
}

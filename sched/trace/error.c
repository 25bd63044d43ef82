/* error.c - the first failure wins. */
#include "error.h"

#include <stdio.h>

void hd_fail(struct hd_error *err, uint64_t place, const char *format, ...) {
    if (!err || err->text[0]) return;
    va_list args;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    err->place = place;
}

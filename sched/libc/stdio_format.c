/* stdio_format.c - formatting into memory: accesses, no steps. */
#include "arguments.h"

#include "../access.h"
#include "../heap.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

#define SHORT 512 /* a result up to this long is made aside, and stored in its turn */

static int format_held(char *to, size_t size, const char *format, va_list args, void *pc) {
    int (*real)(char *, size_t, const char *, va_list) = HD_ENTER(vsnprintf);
    if (!hd_watched() || size == 0) return real(to, size, format, args);
    char aside[SHORT];
    va_list again;
    va_copy(again, args);
    int n = real(aside, sizeof aside, format, args);
    if (n >= 0) {
        size_t stored = (size_t)n < size ? (size_t)n + 1 : size;
        if (n < SHORT) {
            hd_store(to, aside, stored, pc);
            if ((size_t)n >= size) to[size - 1] = '\0';
        } else {
            hd_access_range((uintptr_t)to, stored, HD_WRITE, pc);
            n = real(to, size, format, again);
        }
    }
    va_end(again);
    return n;
}

static int format_into(char *to, size_t size, const char *format, va_list args, void *pc) {
    struct hd_arguments held;
    hd_hold_arguments(&held, format, args, pc);
    int n = format_held(to, size, format, held.list, pc);
    va_end(held.list);
    return n;
}

static int checked(char *to, size_t size, size_t room, const char *format, va_list args,
                   const char *name, void *pc) {
    if (size != SIZE_MAX && size > room) hd_overflow(name, pc);
    int n = format_into(to, room < size ? room : size > INT_MAX ? INT_MAX : size, format, args, pc);
    if (size == SIZE_MAX && n >= 0 && (size_t)n >= room) hd_overflow(name, pc);
    return n;
}

static int make(char **out, const char *format, va_list args, void *pc) {
    struct hd_arguments held;
    hd_hold_arguments(&held, format, args, pc);
    va_list again;
    va_copy(again, held.list);
    int n = HD_ENTER(vsnprintf)(NULL, 0, format, held.list);
    va_end(held.list);
    char *made = n < 0 ? NULL : hd_heap_alloc((size_t)n + 1, 16, false, pc);
    if (made) {
        n = format_held(made, (size_t)n + 1, format, again, pc);
        if (hd_watched()) hd_access_range((uintptr_t)out, sizeof *out, HD_WRITE, pc);
        *out = made;
    } else if (n >= 0) {
        errno = ENOMEM;
        n = -1;
    }
    va_end(again);
    return n;
}

#define VARIADIC(call)                                                                   \
    va_list args;                                                                        \
    va_start(args, format);                                                              \
    int n = call;                                                                        \
    va_end(args);                                                                        \
    return n

HD_TAKEN int vsnprintf(char *to, size_t size, const char *format, va_list args) {
    return format_into(to, size, format, args, HD_PC());
}
HD_TAKEN int snprintf(char *to, size_t size, const char *format, ...) {
    VARIADIC(format_into(to, size, format, args, HD_PC()));
}
HD_TAKEN int vsprintf(char *to, const char *format, va_list args) {
    return format_into(to, INT_MAX, format, args, HD_PC());
}
HD_TAKEN int sprintf(char *to, const char *format, ...) {
    VARIADIC(format_into(to, INT_MAX, format, args, HD_PC()));
}
HD_TAKEN int vasprintf(char **out, const char *format, va_list args) {
    return make(out, format, args, HD_PC());
}
HD_TAKEN int asprintf(char **out, const char *format, ...) {
    VARIADIC(make(out, format, args, HD_PC()));
}

HD_TAKEN int __vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format,
                             va_list args) {
    (void)flag;
    return checked(to, size, room, format, args, "vsnprintf", HD_PC());
}
HD_TAKEN int __snprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, ...) {
    (void)flag;
    VARIADIC(checked(to, size, room, format, args, "snprintf", HD_PC()));
}
HD_TAKEN int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list args) {
    (void)flag;
    return checked(to, SIZE_MAX, room, format, args, "vsprintf", HD_PC());
}
HD_TAKEN int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...) {
    (void)flag;
    VARIADIC(checked(to, SIZE_MAX, room, format, args, "sprintf", HD_PC()));
}
HD_TAKEN int __vasprintf_chk(char **out, int flag, const char *format, va_list args) {
    (void)flag;
    return make(out, format, args, HD_PC());
}
HD_TAKEN int __asprintf_chk(char **out, int flag, const char *format, ...) {
    (void)flag;
    VARIADIC(make(out, format, args, HD_PC()));
}

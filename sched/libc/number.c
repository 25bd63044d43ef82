/* number.c - strings to numbers, and sorting: accesses inside of libc. */
#include "hold.h"

#include "../access.h"

#include <stdlib.h>

/* What was read: up to the first character that does not belong to the number. */
static void was_read(const char *s, const char *end, char **out, void *pc) {
    if (hd_watched()) {
        hd_access_range((uintptr_t)s, (size_t)(end - s) + 1, HD_READ, pc);
        if (out) hd_access_range((uintptr_t)out, sizeof *out, HD_WRITE, pc);
    }
    if (out) *out = (char *)(uintptr_t)end;
}

#define INTEGER(type, name)                                                              \
    HD_TAKEN type name(const char *s, char **out, int base) {                            \
        char *end = (char *)(uintptr_t)s;                                                \
        type result = HD_REAL(name)(s, &end, base);                                      \
        was_read(s, end, out, HD_PC());                                                  \
        return result;                                                                   \
    }
#define FLOATING(type, name)                                                             \
    HD_TAKEN type name(const char *s, char **out) {                                      \
        char *end = (char *)(uintptr_t)s;                                                \
        type result = HD_REAL(name)(s, &end);                                            \
        was_read(s, end, out, HD_PC());                                                  \
        return result;                                                                   \
    }
#define PLAIN(type, name, real)                                                          \
    HD_TAKEN type name(const char *s) {                                                  \
        char *end = (char *)(uintptr_t)s;                                                \
        type result = (type)real;                                                        \
        was_read(s, end, NULL, HD_PC());                                                 \
        return result;                                                                   \
    }

INTEGER(long, strtol)
INTEGER(unsigned long, strtoul)
INTEGER(long long, strtoll)
INTEGER(unsigned long long, strtoull)
FLOATING(double, strtod)
FLOATING(float, strtof)
FLOATING(long double, strtold)
PLAIN(int, atoi, HD_REAL(strtol)(s, &end, 10))
PLAIN(long, atol, HD_REAL(strtol)(s, &end, 10))
PLAIN(long long, atoll, HD_REAL(strtoll)(s, &end, 10))
PLAIN(double, atof, HD_REAL(strtod)(s, &end))

/* The elements are moved by libc; the comparisons are the program's own. */
static void sorts(void *at, size_t bytes, void *pc) {
    if (!hd_watched()) return;
    hd_access_range((uintptr_t)at, bytes, HD_READ, pc);
    hd_access_range((uintptr_t)at, bytes, HD_WRITE, pc);
}

HD_TAKEN void qsort(void *at, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    sorts(at, count * size, HD_PC());
    HD_REAL(qsort)(at, count, size, compare);
}

HD_TAKEN void qsort_r(void *at, size_t count, size_t size,
                      int (*compare)(const void *, const void *, void *), void *argument) {
    sorts(at, count * size, HD_PC());
    HD_REAL(qsort_r)(at, count, size, compare, argument);
}

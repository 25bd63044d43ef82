/* number.c - strings to numbers, and sorting: accesses inside of libc. */
#include "hold.h"

#include "../access.h"

#include <stdlib.h>

/* libc looks at what was read in its turn: up to the first character that does not
 * belong to the number as it is now, or, if others change it meanwhile, to the end of the
 * string. `end`: of the number as it is now. */
static const char *held(const char *s, const char *end, void *pc) {
    size_t n = (size_t)(end - s) + 1, length;
    if (!hd_watched() || hd_access_plain((uintptr_t)s, n, HD_READ, pc) == n) return s;
    return hd_hold_string(s, SIZE_MAX, &length, pc);
}

/* Where the number ended in what was held is where it ended in `s`. */
static void tell_end(const char *s, const char *from, const char *end, char **out, void *pc) {
    char *at = (char *)(uintptr_t)s + (end - from);
    if (out) hd_give(out, &at, sizeof at, pc);
}

#define INTEGER(type, name)                                                              \
    HD_TAKEN type name(const char *s, char **out, int base) {                            \
        char *end = (char *)(uintptr_t)s;                                                \
        HD_REAL(name)(s, &end, base);                                                    \
        const char *from = held(s, end, HD_PC());                                        \
        type result = HD_REAL(name)(from, &end, base);                                   \
        tell_end(s, from, end, out, HD_PC());                                            \
        return result;                                                                   \
    }
#define FLOATING(type, name)                                                             \
    HD_TAKEN type name(const char *s, char **out) {                                      \
        char *end = (char *)(uintptr_t)s;                                                \
        HD_REAL(name)(s, &end);                                                          \
        const char *from = held(s, end, HD_PC());                                        \
        type result = HD_REAL(name)(from, &end);                                         \
        tell_end(s, from, end, out, HD_PC());                                            \
        return result;                                                                   \
    }
/* `...`: the base, where there is one. */
#define PLAIN(type, name, real, ...)                                                     \
    HD_TAKEN type name(const char *s) {                                                  \
        char *end = (char *)(uintptr_t)s;                                                \
        real(s, &end __VA_OPT__(, ) __VA_ARGS__);                                        \
        return (type)real(held(s, end, HD_PC()), NULL __VA_OPT__(, ) __VA_ARGS__);       \
    }

INTEGER(long, strtol)
INTEGER(unsigned long, strtoul)
INTEGER(long long, strtoll)
INTEGER(unsigned long long, strtoull)
FLOATING(double, strtod)
FLOATING(float, strtof)
FLOATING(long double, strtold)
PLAIN(int, atoi, HD_REAL(strtol), 10)
PLAIN(long, atol, HD_REAL(strtol), 10)
PLAIN(long long, atoll, HD_REAL(strtoll), 10)
PLAIN(double, atof, HD_REAL(strtod))

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

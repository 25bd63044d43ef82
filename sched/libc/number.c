/* number.c - strings to numbers, and sorting: accesses inside of libc. */
#include "hold.h"

#include "../access.h"

#include <stdlib.h>

/* libc looks at what was read in its turn: up to the first character that does not
 * belong to the number as it is then. */
struct number {
    const char *s;
    void (*scan)(const char *s, char **end, int base);
    int base;
};

static size_t number_reach(const char *at, size_t room, const void *how) {
    const struct number *self = how;
    char *end = (char *)(uintptr_t)self->s;
    self->scan(self->s, &end, self->base);
    size_t n = end < at ? 0 : (size_t)(end - at) + 1;
    if (at == self->s && n == 0) n = 1;
    return n < room ? n : room;
}

static const char *held(const char *s, void (*scan)(const char *, char **, int), int base, void *pc) {
    if (!hd_watched()) return s;
    size_t n;
    const struct number how = {s, scan, base};
    return hd_hold_reach(s, SIZE_MAX, number_reach, &how, NULL, &n, pc);
}

/* Where the number ended in what was held is where it ended in `s`. */
static void tell_end(const char *s, const char *from, const char *end, char **out, void *pc) {
    char *at = (char *)(uintptr_t)s + (end - from);
    if (out) hd_give(out, &at, sizeof at, pc);
}

#define INTEGER(type, name)                                                              \
    static void scan_##name(const char *s, char **end, int base) {                       \
        HD_REAL(name)(s, end, base);                                                     \
    }                                                                                    \
    HD_TAKEN type name(const char *s, char **out, int base) {                            \
        char *end;                                                                       \
        const char *from = held(s, scan_##name, base, HD_PC());                          \
        type result = HD_REAL(name)(from, &end, base);                                   \
        tell_end(s, from, end, out, HD_PC());                                            \
        return result;                                                                   \
    }
#define FLOATING(type, name)                                                             \
    static void scan_##name(const char *s, char **end, int base) {                       \
        (void)base;                                                                      \
        HD_REAL(name)(s, end);                                                           \
    }                                                                                    \
    HD_TAKEN type name(const char *s, char **out) {                                      \
        char *end;                                                                       \
        const char *from = held(s, scan_##name, 0, HD_PC());                             \
        type result = HD_REAL(name)(from, &end);                                         \
        tell_end(s, from, end, out, HD_PC());                                            \
        return result;                                                                   \
    }
/* `...`: the base, where there is one. */
#define PLAIN(type, name, real, ...)                                                     \
    HD_TAKEN type name(const char *s) {                                                  \
        const char *from = held(s, scan_##real, 10, HD_PC());                            \
        return (type)HD_REAL(real)(from, NULL __VA_OPT__(, ) __VA_ARGS__);            \
    }

INTEGER(long, strtol)
INTEGER(unsigned long, strtoul)
INTEGER(long long, strtoll)
INTEGER(unsigned long long, strtoull)
FLOATING(double, strtod)
FLOATING(float, strtof)
FLOATING(long double, strtold)
PLAIN(int, atoi, strtol, 10)
PLAIN(long, atol, strtol, 10)
PLAIN(long long, atoll, strtoll, 10)
PLAIN(double, atof, strtod)

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

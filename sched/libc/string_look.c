/* string_look.c - functions that only read strings. */
#include "hold.h"

#include "../access.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

HD_TAKEN size_t strlen(const char *s) {
    if (!hd_watched()) return HD_REAL(strlen)(s);
    size_t length;
    hd_hold_string(s, SIZE_MAX, &length, HD_PC());
    return length;
}

HD_TAKEN size_t strnlen(const char *s, size_t most) {
    if (!hd_watched()) return HD_REAL(strnlen)(s, most);
    size_t length;
    hd_hold_string(s, most, &length, HD_PC());
    return length;
}

/* ---- two strings ---------------------------------------------------------------- */

/* How far a comparison gets: to the first difference or the end. */
static size_t common(const char *a, const char *b, size_t most, bool any_case) {
    size_t n = 0;
    while (n < most) {
        unsigned char x = (unsigned char)a[n], y = (unsigned char)b[n];
        n++;
        if (x == 0 || y == 0) break;
        if (x != y && (!any_case || (x | 32) != (y | 32))) break;
    }
    return n;
}

/* Where to compare; -1 in `most` once the whole strings are meant. */
static void look(const char **a, const char **b, size_t most, bool any_case, void *pc) {
    if (!hd_watched()) return;
    size_t n = common(*a, *b, most, any_case), length;
    if (hd_access_plain((uintptr_t)*a, n, HD_READ, pc) == n &&
        hd_access_plain((uintptr_t)*b, n, HD_READ, pc) == n) {
        return;
    }
    *a = hd_hold_string(*a, most, &length, pc);
    *b = hd_hold_string(*b, most, &length, pc);
}

HD_TAKEN int strcmp(const char *a, const char *b) {
    look(&a, &b, SIZE_MAX, false, HD_PC());
    return HD_REAL(strcmp)(a, b);
}

HD_TAKEN int strncmp(const char *a, const char *b, size_t n) {
    look(&a, &b, n, false, HD_PC());
    return HD_REAL(strncmp)(a, b, n);
}

HD_TAKEN int strcasecmp(const char *a, const char *b) {
    look(&a, &b, SIZE_MAX, true, HD_PC());
    return HD_REAL(strcasecmp)(a, b);
}

HD_TAKEN int strncasecmp(const char *a, const char *b, size_t n) {
    look(&a, &b, n, true, HD_PC());
    return HD_REAL(strncasecmp)(a, b, n);
}

static const char *whole(const char *s, void *pc) {
    size_t length;
    return hd_watched() ? hd_hold_string(s, SIZE_MAX, &length, pc) : s;
}

HD_TAKEN int strcoll(const char *a, const char *b) {
    a = whole(a, HD_PC());
    return HD_REAL(strcoll)(a, whole(b, HD_PC()));
}

HD_TAKEN size_t strspn(const char *s, const char *accept) {
    s = whole(s, HD_PC());
    return HD_REAL(strspn)(s, whole(accept, HD_PC()));
}

HD_TAKEN size_t strcspn(const char *s, const char *reject) {
    s = whole(s, HD_PC());
    return HD_REAL(strcspn)(s, whole(reject, HD_PC()));
}

/* ---- a pointer into the first ----------------------------------------------------- */

static char *back(const char *s, const char *held, const char *found) {
    return found ? (char *)(uintptr_t)(s + (found - held)) : NULL;
}

static char *first_of(const char *s, int c, bool or_end, void *pc) {
    const char *found = HD_REAL(strchrnul)(s, c), *held = s;
    if (hd_watched()) {
        size_t n = (size_t)(found - s) + 1, length;
        if (hd_access_plain((uintptr_t)s, n, HD_READ, pc) != n) {
            held = hd_hold_string(s, SIZE_MAX, &length, pc);
            found = HD_REAL(strchrnul)(held, c);
        }
    }
    return or_end || *found == (char)c ? back(s, held, found) : NULL;
}

HD_TAKEN char *strchr(const char *s, int c) { return first_of(s, c, false, HD_PC()); }
HD_TAKEN char *index(const char *s, int c) { return first_of(s, c, false, HD_PC()); }
HD_TAKEN char *strchrnul(const char *s, int c) { return first_of(s, c, true, HD_PC()); }

static char *last_of(const char *s, int c, void *pc) {
    const char *held = whole(s, pc);
    return back(s, held, HD_REAL(strrchr)(held, c));
}

HD_TAKEN char *strrchr(const char *s, int c) { return last_of(s, c, HD_PC()); }
HD_TAKEN char *rindex(const char *s, int c) { return last_of(s, c, HD_PC()); }

HD_TAKEN char *strstr(const char *s, const char *part) {
    const char *held = whole(s, HD_PC());
    return back(s, held, HD_REAL(strstr)(held, whole(part, HD_PC())));
}

HD_TAKEN char *strcasestr(const char *s, const char *part) {
    const char *held = whole(s, HD_PC());
    return back(s, held, HD_REAL(strcasestr)(held, whole(part, HD_PC())));
}

HD_TAKEN char *strpbrk(const char *s, const char *accept) {
    const char *held = whole(s, HD_PC());
    return back(s, held, HD_REAL(strpbrk)(held, whole(accept, HD_PC())));
}

/* ---- wide strings ------------------------------------------------------------------ */

HD_TAKEN size_t wcslen(const wchar_t *s) {
    size_t n = HD_REAL(wcslen)(s);
    if (hd_watched()) READS(s, (n + 1) * sizeof *s);
    return n;
}

HD_TAKEN int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n) {
    if (hd_watched()) {
        READS(a, n * sizeof *a);
        READS(b, n * sizeof *b);
    }
    return HD_REAL(wmemcmp)(a, b, n);
}

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

struct against {
    const char *other;
    size_t most;
    bool any_case;
};

static size_t up_to_difference(const char *at, size_t room, const void *how) {
    const struct against *self = how;
    return common(at, self->other, room < self->most ? room : self->most, self->any_case);
}

/* Word by word of `a`, and what of `b` is held against it: of each as much as is looked at,
 * when its turn has come. */
static int compare(const char *a, const char *b, size_t most, bool any_case, void *pc) {
    for (size_t done = 0; done < most;) {
        char one[8], other[8];
        const struct against now = {b + done, most - done, any_case};
        size_t n = hd_read_word(a + done, most - done, up_to_difference, &now, pc);
        HD_REAL(memcpy)(one, a + done, n);
        for (size_t seen = 0; seen < n;) {
            const struct against held = {one + seen, n - seen, any_case};
            size_t more = hd_read_word(b + done + seen, n - seen, up_to_difference, &held, pc);
            HD_REAL(memcpy)(other + seen, b + done + seen, more);
            seen += more;
            int result = (any_case ? HD_REAL(strncasecmp) : HD_REAL(strncmp))(one, other, seen);
            if (result || !one[seen - 1]) return result;
        }
        done += n;
    }
    return 0;
}

HD_TAKEN int strcmp(const char *a, const char *b) {
    return hd_watched() ? compare(a, b, SIZE_MAX, false, HD_PC()) : HD_REAL(strcmp)(a, b);
}

HD_TAKEN int strncmp(const char *a, const char *b, size_t n) {
    return hd_watched() ? compare(a, b, n, false, HD_PC()) : HD_REAL(strncmp)(a, b, n);
}

HD_TAKEN int strcasecmp(const char *a, const char *b) {
    return hd_watched() ? compare(a, b, SIZE_MAX, true, HD_PC()) : HD_REAL(strcasecmp)(a, b);
}

HD_TAKEN int strncasecmp(const char *a, const char *b, size_t n) {
    return hd_watched() ? compare(a, b, n, true, HD_PC()) : HD_REAL(strncasecmp)(a, b, n);
}

static const char *whole(const char *s, void *pc) {
    size_t length;
    return hd_watched() ? hd_hold_string(s, SIZE_MAX, &length, pc) : s;
}

/* Two strings, one after the other. */
static void both(const char **a, const char **b, void *pc) {
    if (!hd_watched()) return;
    size_t length;
    const char *as = *a;
    *a = hd_hold_string(as, SIZE_MAX, &length, pc);
    struct hd_kept kept = {a, length + 1, *a != as};
    *b = hd_hold_until(*b, '\0', '\0', SIZE_MAX, &length, &kept, pc);
}

HD_TAKEN int strcoll(const char *a, const char *b) {
    both(&a, &b, HD_PC());
    return HD_REAL(strcoll)(a, b);
}

HD_TAKEN size_t strspn(const char *s, const char *accept) {
    both(&s, &accept, HD_PC());
    return HD_REAL(strspn)(s, accept);
}

HD_TAKEN size_t strcspn(const char *s, const char *reject) {
    both(&s, &reject, HD_PC());
    return HD_REAL(strcspn)(s, reject);
}

/* ---- a pointer into the first ----------------------------------------------------- */

static char *back(const char *s, const char *held, const char *found) {
    return found ? (char *)(uintptr_t)(s + (found - held)) : NULL;
}

static char *first_of(const char *s, int c, bool or_end, void *pc) {
    const char *held = s;
    size_t n = 0;
    if (hd_watched()) {
        held = hd_hold_until(s, (char)c, '\0', SIZE_MAX, &n, NULL, pc);
    } else {
        n = (size_t)(HD_REAL(strchrnul)(s, c) - s);
    }
    return or_end || held[n] == (char)c ? back(s, held, held + n) : NULL;
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

#define PART(name)                                                                       \
    HD_TAKEN char *name(const char *s, const char *part) {                               \
        const char *held = s;                                                            \
        both(&held, &part, HD_PC());                                                     \
        return back(s, held, HD_REAL(name)(held, part));                                 \
    }
PART(strstr)
PART(strcasestr)
PART(strpbrk)

/* ---- wide strings ------------------------------------------------------------------ */

HD_TAKEN size_t wcslen(const wchar_t *s) {
    size_t length;
    if (!hd_watched()) return HD_REAL(wcslen)(s);
    hd_hold_wide(s, &length, HD_PC());
    return length;
}

HD_TAKEN int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n) {
    const char *one = (const char *)a, *two = (const char *)b;
    if (hd_watched()) {
        one = hd_hold(one, n * sizeof *a, HD_PC());
        struct hd_kept kept = {&one, n * sizeof *a, one != (const char *)a};
        two = hd_hold_with(two, n * sizeof *b, &kept, HD_PC());
    }
    return HD_REAL(wmemcmp)((const wchar_t *)(const void *)one, (const wchar_t *)(const void *)two, n);
}

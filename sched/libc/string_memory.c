/* string_memory.c - memcpy, memset and what else moves or looks at plain bytes.
 *
 * Called also before there is any state, and by the compiler for struct copies:
 * nothing here may rely on a call that the compiler could turn into itself. */
#include "hold.h"

#include "../access.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>

#define WIDE sizeof(wchar_t)

static inline void copy(void *to, const void *from, size_t n, void *pc) {
    if (hd_unlikely(!hd_watched())) {
        hd_memcpy(to, from, n);
    } else {
        hd_copy(to, from, n, pc);
    }
}

static inline void move(void *to, const void *from, size_t n, void *pc) {
    if (hd_unlikely(!hd_watched())) {
        hd_memmove(to, from, n);
    } else if ((uintptr_t)to - (uintptr_t)from >= n && (uintptr_t)from - (uintptr_t)to >= n) {
        hd_copy(to, from, n, pc);
    } else { /* in one step: pieces would overwrite what is still to be read */
        hd_access_range((uintptr_t)from, n, HD_READ, pc);
        hd_access_range((uintptr_t)to, n, HD_WRITE, pc);
        HD_REAL(memmove)(to, from, n);
    }
}

static inline void fill(void *to, int value, size_t n, void *pc) {
    if (hd_unlikely(!hd_watched())) {
        hd_memset(to, value, n);
    } else {
        hd_fill(to, value, n, pc);
    }
}

HD_TAKEN void *memcpy(void *to, const void *from, size_t n) {
    copy(to, from, n, HD_PC());
    return to;
}

HD_TAKEN void *mempcpy(void *to, const void *from, size_t n) {
    copy(to, from, n, HD_PC());
    return (char *)to + n;
}
HD_ALIAS(__mempcpy, mempcpy);

HD_TAKEN void *memmove(void *to, const void *from, size_t n) {
    move(to, from, n, HD_PC());
    return to;
}

HD_TAKEN void bcopy(const void *from, void *to, size_t n) { move(to, from, n, HD_PC()); }

HD_TAKEN void *memset(void *to, int value, size_t n) {
    fill(to, value, n, HD_PC());
    return to;
}

HD_TAKEN void bzero(void *to, size_t n) { fill(to, 0, n, HD_PC()); }

HD_TAKEN void explicit_bzero(void *to, size_t n) { fill(to, 0, n, HD_PC()); }

HD_TAKEN wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t n) {
    copy(to, from, n * WIDE, HD_PC());
    return to;
}

HD_TAKEN wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n) {
    move(to, from, n * WIDE, HD_PC());
    return to;
}

HD_TAKEN wchar_t *wmemset(wchar_t *to, wchar_t value, size_t n) {
    if (hd_watched()) WRITES(to, n * WIDE);
    return HD_REAL(wmemset)(to, value, n);
}

/* What newer compilers call for copies of their own. */
HD_ALIAS(__tsan_memcpy, memcpy);
HD_ALIAS(__tsan_memmove, memmove);
HD_ALIAS(__tsan_memset, memset);

/* ---- comparing: all n bytes count as read ---------------------------------------- */

static int compare(const void *a, const void *b, size_t n, void *pc) {
    if (hd_watched()) {
        const char *held = hd_hold(a, n, pc);
        struct hd_kept kept = {&held, n, held != a};
        b = hd_hold_with(b, n, &kept, pc);
        a = held;
    }
    return HD_REAL(memcmp)(a, b, n);
}

HD_TAKEN int memcmp(const void *a, const void *b, size_t n) { return compare(a, b, n, HD_PC()); }

HD_TAKEN int bcmp(const void *a, const void *b, size_t n) { return compare(a, b, n, HD_PC()); }

/* ---- searching: up to what is found ------------------------------------------------ */

static char *find(const char *s, int c, size_t n, void *pc) {
    if (!hd_watched()) return HD_REAL(memchr)(s, c, n);
    size_t length;
    const char *held = hd_hold_until(s, (char)c, (char)c, n, &length, NULL, pc);
    bool found = length < n && held[length] == (char)c;
    return found ? (char *)(uintptr_t)(s + length) : NULL;
}

HD_TAKEN void *memchr(const void *s, int c, size_t n) { return find(s, c, n, HD_PC()); }

HD_TAKEN void *rawmemchr(const void *s, int c) { return find(s, c, SIZE_MAX, HD_PC()); }

HD_TAKEN void *memrchr(const void *s, int c, size_t n) {
    const char *at = s, *held = at;
    if (hd_watched()) held = hd_hold(at, n, HD_PC());
    const char *found = HD_REAL(memrchr)(held, c, n);
    return found ? (void *)(uintptr_t)(at + (found - held)) : NULL;
}

HD_TAKEN void *memmem(const void *s, size_t n, const void *part, size_t m) {
    const char *at = s, *held = at;
    if (hd_watched()) {
        const char *other = hd_hold(part, m, HD_PC());
        struct hd_kept kept = {&other, m, other != part};
        held = hd_hold_with(at, n, &kept, HD_PC());
        part = other;
    }
    const char *found = HD_REAL(memmem)(held, n, part, m);
    return found ? (void *)(uintptr_t)(at + (found - held)) : NULL;
}

HD_TAKEN void *memccpy(void *to, const void *from, int c, size_t n) {
    if (!hd_watched()) {
        const char *found = HD_REAL(memchr)(from, c, n);
        size_t length = found ? (size_t)(found - (const char *)from) + 1 : n;
        hd_memcpy(to, from, length);
        return found ? (char *)to + length : NULL;
    }
    size_t length;
    const char *held = hd_hold_until(from, (char)c, (char)c, n, &length, NULL, HD_PC());
    bool found = length < n;
    hd_store(to, held, length + found, HD_PC());
    return found ? (char *)to + length + 1 : NULL;
}

/* ---- checked forms ---------------------------------------------------------------- */

#define CHECKED(name, n, room) \
    do { \
        if (hd_unlikely((n) > (room))) hd_overflow(name, HD_PC()); \
    } while (0)

HD_TAKEN void *__memcpy_chk(void *to, const void *from, size_t n, size_t room) {
    CHECKED("memcpy", n, room);
    copy(to, from, n, HD_PC());
    return to;
}

HD_TAKEN void *__mempcpy_chk(void *to, const void *from, size_t n, size_t room) {
    CHECKED("mempcpy", n, room);
    copy(to, from, n, HD_PC());
    return (char *)to + n;
}

HD_TAKEN void *__memmove_chk(void *to, const void *from, size_t n, size_t room) {
    CHECKED("memmove", n, room);
    move(to, from, n, HD_PC());
    return to;
}

HD_TAKEN void *__memset_chk(void *to, int value, size_t n, size_t room) {
    CHECKED("memset", n, room);
    fill(to, value, n, HD_PC());
    return to;
}

HD_TAKEN void __explicit_bzero_chk(void *to, size_t n, size_t room) {
    CHECKED("explicit_bzero", n, room);
    fill(to, 0, n, HD_PC());
}

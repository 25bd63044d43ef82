/* string_copy.c - strcpy, strcat, strdup and their relatives. */
#include "hold.h"

#include "../access.h"
#include "../heap.h"

#include <errno.h>
#include <string.h>
#include <wchar.h>

/* The string with its end, or its first `most` bytes; `*n` is how many that is. */
static const char *take(const char *from, size_t most, size_t *length, size_t *n, void *pc) {
    const char *held = from;
    if (hd_watched()) {
        held = hd_hold_string(from, most, length, pc);
    } else {
        *length = HD_REAL(strnlen)(from, most);
    }
    *n = *length < most ? *length + 1 : *length;
    return held;
}

static void put(char *to, const char *from, size_t n, void *pc) {
    if (hd_watched()) {
        hd_store(to, from, n, pc);
    } else {
        hd_memcpy(to, from, n);
    }
}

static void pad(char *to, size_t n, void *pc) {
    if (hd_watched()) {
        hd_fill(to, 0, n, pc);
    } else {
        hd_memset(to, 0, n);
    }
}

static size_t copy(char *to, const char *from, size_t room, const char *name, void *pc) {
    size_t length, n;
    const char *held = take(from, SIZE_MAX, &length, &n, pc);
    if (hd_unlikely(n > room)) hd_overflow(name, pc);
    put(to, held, n, pc);
    return length;
}

static size_t copy_some(char *to, const char *from, size_t most, void *pc) {
    size_t length, n;
    const char *held = take(from, most, &length, &n, pc);
    put(to, held, length, pc);
    pad(to + length, most - length, pc);
    return length;
}

static void append(char *to, const char *from, size_t most, size_t room, const char *name,
                   void *pc) {
    size_t before, length, n;
    take(to, SIZE_MAX, &before, &n, pc);
    const char *held = take(from, most, &length, &n, pc);
    if (hd_unlikely(before + length + 1 > room)) hd_overflow(name, pc);
    put(to + before, held, length, pc);
    pad(to + before + length, 1, pc);
}

HD_TAKEN char *strcpy(char *to, const char *from) {
    copy(to, from, SIZE_MAX, "strcpy", HD_PC());
    return to;
}

HD_TAKEN char *stpcpy(char *to, const char *from) {
    return to + copy(to, from, SIZE_MAX, "stpcpy", HD_PC());
}
HD_ALIAS(__stpcpy, stpcpy);

HD_TAKEN char *strncpy(char *to, const char *from, size_t n) {
    copy_some(to, from, n, HD_PC());
    return to;
}

HD_TAKEN char *stpncpy(char *to, const char *from, size_t n) {
    return to + copy_some(to, from, n, HD_PC());
}

HD_TAKEN char *strcat(char *to, const char *from) {
    append(to, from, SIZE_MAX, SIZE_MAX, "strcat", HD_PC());
    return to;
}

HD_TAKEN char *strncat(char *to, const char *from, size_t n) {
    append(to, from, n, SIZE_MAX, "strncat", HD_PC());
    return to;
}

static char *duplicate(const char *s, size_t most, void *pc) {
    size_t length, n;
    if (!hd_booted) hd_boot_memory();
    const char *held = take(s, most, &length, &n, pc);
    char *made = hd_heap_alloc(length + 1, 16, false, pc);
    if (!made) {
        errno = ENOMEM;
        return NULL;
    }
    put(made, held, length, pc);
    pad(made + length, 1, pc);
    return made;
}

HD_TAKEN char *strdup(const char *s) { return duplicate(s, SIZE_MAX, HD_PC()); }
HD_ALIAS(__strdup, strdup);

HD_TAKEN char *strndup(const char *s, size_t n) { return duplicate(s, n, HD_PC()); }
HD_ALIAS(__strndup, strndup);

HD_TAKEN wchar_t *wcscpy(wchar_t *to, const wchar_t *from) {
    if (!hd_watched()) return HD_REAL(wcscpy)(to, from);
    size_t length;
    const wchar_t *held = hd_hold_wide(from, &length, HD_PC());
    hd_store((char *)to, (const char *)held, (length + 1) * sizeof *from, HD_PC());
    return to;
}

/* ---- checked forms ------------------------------------------------------------------ */

HD_TAKEN char *__strcpy_chk(char *to, const char *from, size_t room) {
    copy(to, from, room, "strcpy", HD_PC());
    return to;
}

HD_TAKEN char *__stpcpy_chk(char *to, const char *from, size_t room) {
    return to + copy(to, from, room, "stpcpy", HD_PC());
}

HD_TAKEN char *__strncpy_chk(char *to, const char *from, size_t n, size_t room) {
    if (hd_unlikely(n > room)) hd_overflow("strncpy", HD_PC());
    copy_some(to, from, n, HD_PC());
    return to;
}

HD_TAKEN char *__stpncpy_chk(char *to, const char *from, size_t n, size_t room) {
    if (hd_unlikely(n > room)) hd_overflow("stpncpy", HD_PC());
    return to + copy_some(to, from, n, HD_PC());
}

HD_TAKEN char *__strcat_chk(char *to, const char *from, size_t room) {
    append(to, from, SIZE_MAX, room, "strcat", HD_PC());
    return to;
}

HD_TAKEN char *__strncat_chk(char *to, const char *from, size_t n, size_t room) {
    append(to, from, n, room, "strncat", HD_PC());
    return to;
}

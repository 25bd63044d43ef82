/* stdio_scan.c - the scanf family, under each of the names that glibc's headers
 * have given it over the years. What was stored is known by the format. */
#include "hold.h"
#include "input.h"
#include "stream.h"

#include "../access.h"

#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <wchar.h>

/* One conversion: %[*][width][length]letter. */
struct conversion {
    bool skipped; /* %* */
    bool made;    /* %m: libc allocates */
    size_t width;
    size_t size;  /* of what is stored; 0: a string */
    bool wide;
    char letter;
};

static const char *set_end(const char *at) { /* behind the ] of %[...] */
    if (*at == '^') at++;
    if (*at == ']') at++;
    while (*at && *at != ']') at++;
    return *at ? at + 1 : at;
}

static const char *parse(const char *at, struct conversion *to) {
    *to = (struct conversion){.size = sizeof(int)};
    size_t floating = sizeof(float);
    if (*at == '*') {
        to->skipped = true;
        at++;
    }
    for (; *at >= '0' && *at <= '9'; at++) to->width = to->width * 10 + (size_t)(*at - '0');
    for (;; at++) {
        if (*at == 'm') to->made = true;
        else if (*at == 'h') to->size = to->size == sizeof(short) ? 1 : sizeof(short);
        else if (*at == 'l' || *at == 'q') {
            if (to->wide || *at == 'q') floating = sizeof(long double);
            else floating = sizeof(double);
            to->wide = true;
            to->size = sizeof(long);
        } else if (*at == 'L') {
            floating = sizeof(long double);
            to->size = sizeof(long long);
        } else if (*at == 'j') to->size = sizeof(intmax_t);
        else if (*at == 'z') to->size = sizeof(size_t);
        else if (*at == 't') to->size = sizeof(ptrdiff_t);
        else break;
    }
    to->letter = *at;
    if (!*at) return at;
    at++;
    switch (to->letter) {
    case '[': at = set_end(at); to->size = 0; break;
    case 's': case 'S': to->size = 0; break;
    case 'c': case 'C':
        to->size = (to->width ? to->width : 1) * (to->wide ? sizeof(wchar_t) : 1);
        break;
    case 'a': case 'A': case 'e': case 'E': case 'f': case 'F': case 'g': case 'G':
        to->size = floating;
        break;
    case 'p': to->size = sizeof(void *); break;
    default: break;
    }
    if (to->letter == 'S' || to->letter == 'C') to->wide = true;
    if (to->made) to->size = sizeof(char *);
    return at;
}

static void scanned(int count, const char *format, va_list args, void *pc) {
    if (!hd_watched() || count <= 0) return;
    while (*format && count > 0) {
        struct conversion one;
        if (*format++ != '%') continue;
        if (*format == '%') {
            format++;
            continue;
        }
        if (*format >= '0' && *format <= '9') { /* %1$d: by number; not followed */
            const char *end = format;
            while (*end >= '0' && *end <= '9') end++;
            if (*end == '$') return;
        }
        format = parse(format, &one);
        if (one.skipped || !one.letter) continue;
        char *to = va_arg(args, char *);
        size_t size = one.size;
        if (size == 0) {
            size = one.wide ? (HD_REAL(wcslen)((wchar_t *)(void *)to) + 1) * sizeof(wchar_t)
                            : HD_REAL(strlen)(to) + 1;
        }
        hd_access_range((uintptr_t)to, size, HD_WRITE, pc);
        if (one.letter != 'n') count--;
    }
}

typedef int scan_stream(FILE *, const char *, va_list);
typedef int scan_text(const char *, const char *, va_list);

static int from_stream(void *real, FILE *file, const char *format, va_list args, void *pc) {
    va_list again;
    va_copy(again, args);
    struct hd_stream *stream = hd_stream_enter(file, HD_NONE, true, pc);
    hd_input_wait(stream, pc);
    int n = ((scan_stream *)real)(file, format, args);
    hd_stream_leave(stream);
    scanned(n, format, again, pc);
    va_end(again);
    return n;
}

/* ---- from a text: stored aside, and given in turn --------------------------------- */

#define MOST 32 /* conversions that are followed */

struct aside {
    struct conversion one;
    char *to, *kept; /* where the program wants it, where it is */
};

/* The conversions that store something; -1: too many, or by number. */
static int conversions(const char *format, va_list args, struct aside *list) {
    int count = 0;
    while (*format) {
        if (*format++ != '%') continue;
        if (*format == '%') {
            format++;
            continue;
        }
        struct conversion one;
        format = parse(format, &one);
        if (one.letter == '$' || count == MOST) return -1;
        if (one.skipped || !one.letter) continue;
        list[count++] = (struct aside){.one = one, .to = va_arg(args, char *)};
    }
    return count;
}

/* No string in a text of this length is longer. */
static size_t room_for(const struct conversion *one, size_t length) {
    size_t size = one->size ? one->size : (length + 1) * (one->wide ? sizeof(wchar_t) : 1);
    return (size + 15) & ~(size_t)15;
}

static int spread(void *real, const char *text, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int n = ((scan_text *)real)(text, format, args);
    va_end(args);
    return n;
}

static int scan_aside(void *real, const char *text, size_t length, const char *format,
                      struct aside *list, int count, void *pc) {
    size_t room = 0;
    for (int i = 0; i < count; i++) room += room_for(&list[i].one, length);
    _Alignas(16) char small[1024];
    char *at = room <= sizeof small ? small : hd_passing(room), *to[MOST] = {0};
    for (int i = 0; i < count; i++) {
        to[i] = list[i].kept = at;
        at += room_for(&list[i].one, length);
        memset(to[i], 0xff, list[i].one.size); /* no count that %n stores */
    }
#define FOUR(i) to[i], to[i + 1], to[i + 2], to[i + 3]
    int n = spread(real, text, format, FOUR(0), FOUR(4), FOUR(8), FOUR(12), FOUR(16), FOUR(20),
                   FOUR(24), FOUR(28));
#undef FOUR
    for (int i = 0, left = n; i < count; i++) {
        const struct conversion *one = &list[i].one;
        const char *kept = list[i].kept;
        if (one->letter == 'n' ? kept[one->size - 1] == (char)0xff : left-- <= 0) break;
        size_t size = one->size;
        if (size == 0) {
            size = one->wide ? (HD_REAL(wcslen)((const wchar_t *)(const void *)kept) + 1) * sizeof(wchar_t)
                             : HD_REAL(strlen)(kept) + 1;
        }
        hd_store(list[i].to, kept, size, pc);
    }
    return n;
}

static int from_text(void *real, const char *text, const char *format, va_list args, void *pc) {
    if (!hd_watched()) return ((scan_text *)real)(text, format, args);
    va_list again;
    va_copy(again, args);
    size_t length;
    struct aside list[MOST];
    text = hd_hold_string(text, SIZE_MAX, &length, pc);
    int count = conversions(format, again, list), n;
    va_end(again);
    if (count >= 0) return scan_aside(real, text, length, format, list, count, pc);
    va_copy(again, args);
    n = ((scan_text *)real)(text, format, args);
    scanned(n, format, again, pc);
    va_end(again);
    return n;
}

#define LIST(call)                                                                       \
    va_list args;                                                                        \
    va_start(args, format);                                                              \
    int n = call;                                                                        \
    va_end(args);                                                                        \
    return n

/* The headers turn the plain names into others: these are told to the linker only. */
#define NAMED(tag, name, as) HD_TAKEN int tag##_##name as __asm__(#name); HD_TAKEN int tag##_##name as

#define FAMILY(tag, scanf_, fscanf_, sscanf_, vscanf_, vfscanf_, vsscanf_)               \
    NAMED(tag, scanf_, (const char *format, ...)) {                                      \
        LIST(from_stream(hd_libc_real(HD_LIBC_##vfscanf_), stdin, format, args, HD_PC())); \
    }                                                                                    \
    NAMED(tag, fscanf_, (FILE * file, const char *format, ...)) {                        \
        LIST(from_stream(hd_libc_real(HD_LIBC_##vfscanf_), file, format, args, HD_PC())); \
    }                                                                                    \
    NAMED(tag, sscanf_, (const char *text, const char *format, ...)) {                   \
        LIST(from_text(hd_libc_real(HD_LIBC_##vsscanf_), text, format, args, HD_PC()));  \
    }                                                                                    \
    NAMED(tag, vscanf_, (const char *format, va_list args)) {                            \
        return from_stream(hd_libc_real(HD_LIBC_##vfscanf_), stdin, format, args, HD_PC()); \
    }                                                                                    \
    NAMED(tag, vfscanf_, (FILE * file, const char *format, va_list args)) {              \
        return from_stream(hd_libc_real(HD_LIBC_##vfscanf_), file, format, args, HD_PC()); \
    }                                                                                    \
    NAMED(tag, vsscanf_, (const char *text, const char *format, va_list args)) {         \
        return from_text(hd_libc_real(HD_LIBC_##vsscanf_), text, format, args, HD_PC()); \
    }

#undef scanf
#undef fscanf
#undef sscanf
#undef vscanf
#undef vfscanf
#undef vsscanf
FAMILY(hd_89, scanf, fscanf, sscanf, vscanf, vfscanf, vsscanf)
FAMILY(hd_99, __isoc99_scanf, __isoc99_fscanf, __isoc99_sscanf, __isoc99_vscanf,
       __isoc99_vfscanf, __isoc99_vsscanf)
FAMILY(hd_23, __isoc23_scanf, __isoc23_fscanf, __isoc23_sscanf, __isoc23_vscanf,
       __isoc23_vfscanf, __isoc23_vsscanf)

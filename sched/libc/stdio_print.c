/* stdio_print.c - output to streams. Each call is one step, and an event with the
 * number of bytes. */
#include "stream.h"

#include "../access.h"
#include "arguments.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

extern int __vfprintf_chk(FILE *file, int flag, const char *format, va_list args);

/* ---- formatted -------------------------------------------------------------------- */

static int print(FILE *file, const char *format, va_list args, int flag, void *pc) {
    struct hd_arguments held;
    hd_hold_arguments(&held, format, args, pc);
    struct hd_stream *stream = hd_stream_enter(file, HD_OUTPUT, true, pc);
    int n = flag < 0 ? HD_ENTER(vfprintf)(file, format, held.list)
                     : HD_REAL(__vfprintf_chk)(file, flag, format, held.list);
    hd_stream_wrote(stream, n, pc);
    va_end(held.list);
    return n;
}

/* Everything after `last` goes to print. */
#define PRINT(file, flag, format, last)                                                  \
    va_list args;                                                                        \
    va_start(args, last);                                                                \
    int n = print(file, format, args, flag, HD_PC());                                    \
    va_end(args);                                                                        \
    return n

HD_TAKEN int printf(const char *format, ...) { PRINT(stdout, -1, format, format); }
HD_TAKEN int fprintf(FILE *file, const char *format, ...) { PRINT(file, -1, format, format); }
HD_TAKEN int vprintf(const char *format, va_list args) {
    return print(stdout, format, args, -1, HD_PC());
}
HD_TAKEN int vfprintf(FILE *file, const char *format, va_list args) {
    return print(file, format, args, -1, HD_PC());
}
HD_ALIAS(_IO_printf, printf);
HD_ALIAS(_IO_fprintf, fprintf);
HD_ALIAS(_IO_vfprintf, vfprintf);

HD_TAKEN int __printf_chk(int flag, const char *format, ...) {
    PRINT(stdout, flag, format, format);
}
HD_TAKEN int __fprintf_chk(FILE *file, int flag, const char *format, ...) {
    PRINT(file, flag, format, format);
}
HD_TAKEN int __vprintf_chk(int flag, const char *format, va_list args) {
    return print(stdout, format, args, flag, HD_PC());
}
HD_TAKEN int __vfprintf_chk(FILE *file, int flag, const char *format, va_list args) {
    return print(file, format, args, flag, HD_PC());
}

static int print_wide(FILE *file, const wchar_t *format, va_list args, void *pc) {
    struct hd_stream *stream = hd_stream_enter(file, HD_OUTPUT, true, pc);
    int n = HD_REAL(vfwprintf)(file, format, args);
    hd_stream_wrote(stream, n, pc);
    return n;
}

HD_TAKEN int vfwprintf(FILE *file, const wchar_t *format, va_list args) {
    return print_wide(file, format, args, HD_PC());
}
HD_TAKEN int vwprintf(const wchar_t *format, va_list args) {
    return print_wide(stdout, format, args, HD_PC());
}
HD_TAKEN int fwprintf(FILE *file, const wchar_t *format, ...) {
    va_list args;
    va_start(args, format);
    int n = print_wide(file, format, args, HD_PC());
    va_end(args);
    return n;
}
HD_TAKEN int wprintf(const wchar_t *format, ...) {
    va_list args;
    va_start(args, format);
    int n = print_wide(stdout, format, args, HD_PC());
    va_end(args);
    return n;
}

/* ---- characters, strings, blocks ----------------------------------------------------- */

/* One call of libc's, as a step; `bytes` may use `result`. */
#define OUTPUT(type, name, parameters, arguments, file, bytes)                           \
    HD_TAKEN type name parameters {                                                      \
        struct hd_stream *stream = hd_stream_enter(file, HD_OUTPUT, true, HD_PC());      \
        type result = HD_REAL(name) arguments;                                           \
        hd_stream_wrote(stream, (long)(bytes), HD_PC());                                 \
        return result;                                                                   \
    }

/* glibc's headers make some of these macros. */
#undef putc
#undef putchar
#undef putc_unlocked
#undef putchar_unlocked
#undef fputc_unlocked
#undef fwrite_unlocked
#undef fputs_unlocked
extern int _IO_putc(int c, FILE *file);

#define WROTE (result == EOF ? 0 : 1)
OUTPUT(int, fputc, (int c, FILE *file), (c, file), file, WROTE)
OUTPUT(int, putc, (int c, FILE *file), (c, file), file, WROTE)
OUTPUT(int, _IO_putc, (int c, FILE *file), (c, file), file, WROTE)
OUTPUT(int, putchar, (int c), (c), stdout, WROTE)
OUTPUT(int, fputc_unlocked, (int c, FILE *file), (c, file), file, WROTE)
OUTPUT(int, putc_unlocked, (int c, FILE *file), (c, file), file, WROTE)
OUTPUT(int, putchar_unlocked, (int c), (c), stdout, WROTE)
OUTPUT(int, putw, (int w, FILE *file), (w, file), file, WROTE * (long)sizeof w)
OUTPUT(wint_t, fputwc, (wchar_t c, FILE *file), (c, file), file, result == WEOF ? 0 : 1)
OUTPUT(wint_t, putwc, (wchar_t c, FILE *file), (c, file), file, result == WEOF ? 0 : 1)
OUTPUT(wint_t, putwchar, (wchar_t c), (c), stdout, result == WEOF ? 0 : 1)
OUTPUT(int, fputws, (const wchar_t *s, FILE *file), (s, file), file, WROTE)

/* The step comes first: what is written is read when it is written. */
static size_t text(const char **s, void *pc) {
    size_t length;
    if (!hd_watched()) return HD_REAL(strlen)(*s);
    *s = hd_hold_string_aside(*s, SIZE_MAX, &length, pc);
    return length;
}

#define TEXT(name, parameters, arguments, file, extra)                                   \
    HD_TAKEN int name parameters {                                                       \
        long n = (long)text(&s, HD_PC()) + (extra);                                      \
        struct hd_stream *stream = hd_stream_enter(file, HD_OUTPUT, true, HD_PC());      \
        int result = HD_REAL(name) arguments;                                            \
        hd_stream_wrote(stream, result == EOF ? 0 : n, HD_PC());                         \
        return result;                                                                   \
    }

TEXT(puts, (const char *s), (s), stdout, 1)
TEXT(fputs, (const char *s, FILE *file), (s, file), file, 0)
TEXT(fputs_unlocked, (const char *s, FILE *file), (s, file), file, 0)
HD_ALIAS(_IO_puts, puts);
HD_ALIAS(_IO_fputs, fputs);

#define BLOCK(name)                                                                      \
    HD_TAKEN size_t name(const void *from, size_t size, size_t count, FILE *file) {      \
        const char *held = from;                                                         \
        if (hd_watched()) held = hd_hold(from, size * count, HD_PC());                   \
        struct hd_stream *stream = hd_stream_enter(file, HD_OUTPUT, true, HD_PC());      \
        size_t result = HD_REAL(name)(held, size, count, file);                          \
        hd_stream_wrote(stream, (long)(result * size), HD_PC());                         \
        return result;                                                                   \
    }
BLOCK(fwrite)
BLOCK(fwrite_unlocked)
HD_ALIAS(_IO_fwrite, fwrite);

HD_TAKEN void perror(const char *s) {
    struct hd_stream *stream = hd_stream_enter(stderr, HD_OUTPUT, true, HD_PC());
    HD_REAL(perror)(s);
    hd_stream_wrote(stream, 1, HD_PC());
}

HD_TAKEN int fflush_unlocked(FILE *file) {
    struct hd_stream *stream = hd_stream_enter(file, HD_OUTPUT, true, HD_PC());
    int result = HD_REAL(fflush_unlocked)(file);
    hd_stream_leave(stream);
    if (stream) hd_memory_file_give(stream->memory, HD_PC());
    return result;
}

HD_TAKEN int fflush(FILE *file) {
    if (!file && hd_inside()) { /* all of them: a step on the one that others see */
        hd_stream_step(stdout, HD_OUTPUT, HD_PC());
        int flushed = hd_stdio_flush();
        hd_memory_files_give(HD_PC());
        return flushed;
    }
    struct hd_stream *stream = hd_stream_enter(file, HD_OUTPUT, true, HD_PC());
    int result = HD_ENTER(fflush)(file);
    hd_stream_leave(stream);
    if (stream) hd_memory_file_give(stream->memory, HD_PC());
    return result;
}
HD_ALIAS(_IO_fflush, fflush);

/* stdio_read.c - input from streams. Each call is one step; what it stores counts
 * as written by the caller. */
#include "hold.h"
#include "input.h"
#include "stream.h"

#include "../access.h"
#include "../heap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#define ASIDE 1024

#define INPUT(type, name, parameters, arguments, file)                                   \
    HD_TAKEN type name parameters {                                                      \
        struct hd_stream *stream = hd_stream_enter(file, HD_NONE, true, HD_PC());        \
        hd_input_wait(stream, HD_PC());                                                  \
        type result = HD_REAL(name) arguments;                                           \
        hd_stream_leave(stream);                                                         \
        return result;                                                                   \
    }

#undef getc
#undef getchar
#undef getc_unlocked
#undef getchar_unlocked
#undef fgetc_unlocked
extern int _IO_getc(FILE *file);

INPUT(int, fgetc, (FILE * file), (file), file)
INPUT(int, getc, (FILE * file), (file), file)
INPUT(int, _IO_getc, (FILE * file), (file), file)
INPUT(int, getchar, (void), (), stdin)
INPUT(int, fgetc_unlocked, (FILE * file), (file), file)
INPUT(int, getc_unlocked, (FILE * file), (file), file)
INPUT(int, getchar_unlocked, (void), (), stdin)
INPUT(int, getw, (FILE * file), (file), file)
INPUT(wint_t, fgetwc, (FILE * file), (file), file)
INPUT(wint_t, getwc, (FILE * file), (file), file)
INPUT(wint_t, getwchar, (void), (), stdin)

HD_TAKEN int ungetc(int c, FILE *file) {
    struct hd_stream *stream = hd_stream_enter(file, HD_NONE, true, HD_PC());
    int result = HD_REAL(ungetc)(c, file);
    hd_stream_leave(stream);
    return result;
}

/* ---- lines and blocks --------------------------------------------------------------- */

/* The next byte. The stream is ours; libc's lock is not held while we wait. */
static int next(struct hd_stream *stream, void *pc) {
    hd_input_wait(stream, pc);
    return HD_REAL(getc_unlocked)(stream->file);
}

/* Short results are made aside, and stored when the call is over: nobody sees them
 * before their turn. */
static char *line(char *out, int size, FILE *file, int delimiter, void *pc) {
    struct hd_stream *stream = hd_stream_enter(file, HD_NONE, true, pc);
    char aside[ASIDE];
    char *to = stream && size <= ASIDE ? aside : out, *result = out;
    size_t used = 0;
    if (!stream || !hd_input_may_wait(stream)) {
        result = HD_REAL(fgets)(to, size, file) ? out : NULL;
        if (result) used = HD_REAL(strlen)(to) + 1;
    } else { /* byte by byte: each may have to be waited for */
        while (used + 1 < (size_t)size) {
            int c = next(stream, pc);
            if (c == EOF) break;
            to[used++] = (char)c;
            if (c == delimiter) break;
        }
        if (used == 0) result = NULL;
        else to[used++] = '\0';
    }
    hd_stream_leave(stream);
    if (!result) return NULL;
    if (to == aside) {
        hd_store(out, aside, used, pc);
    } else if (hd_watched()) {
        hd_access_range((uintptr_t)out, used, HD_WRITE, pc);
    }
    return result;
}

HD_TAKEN char *fgets(char *to, int size, FILE *file) {
    return line(to, size, file, '\n', HD_PC());
}
HD_TAKEN char *fgets_unlocked(char *to, int size, FILE *file) {
    return line(to, size, file, '\n', HD_PC());
}
HD_TAKEN char *__fgets_chk(char *to, size_t room, int size, FILE *file) {
    if (size > 0 && (size_t)size > room) hd_overflow("fgets", HD_PC());
    return line(to, size, file, '\n', HD_PC());
}
HD_TAKEN char *__fgets_unlocked_chk(char *to, size_t room, int size, FILE *file) {
    if (size > 0 && (size_t)size > room) hd_overflow("fgets", HD_PC());
    return line(to, size, file, '\n', HD_PC());
}

static size_t block(void *out, size_t size, size_t count, FILE *file, void *pc) {
    struct hd_stream *stream = hd_stream_enter(file, HD_NONE, true, pc);
    char aside[ASIDE];
    bool is_short = stream && size <= ASIDE && count <= ASIDE && size * count <= ASIDE;
    char *to = is_short ? aside : out;
    size_t result, used = 0;
    if (!stream || !hd_input_may_wait(stream) || size == 0) {
        /* by bytes: a part of an element at the end is stored, too */
        used = HD_REAL(fread)(to, 1, size * count, file);
    } else {
        while (used < size * count) {
            int c = next(stream, pc);
            if (c == EOF) break;
            to[used++] = (char)c;
        }
    }
    result = size ? used / size : 0;
    hd_stream_leave(stream);
    if (is_short) {
        hd_store(out, aside, used, pc);
    } else if (hd_watched()) {
        hd_access_range((uintptr_t)out, used, HD_WRITE, pc);
    }
    return result;
}

HD_TAKEN size_t fread(void *to, size_t size, size_t count, FILE *file) {
    return block(to, size, count, file, HD_PC());
}
#undef fread_unlocked
HD_TAKEN size_t fread_unlocked(void *to, size_t size, size_t count, FILE *file) {
    return block(to, size, count, file, HD_PC());
}
HD_TAKEN size_t __fread_chk(void *to, size_t room, size_t size, size_t count, FILE *file) {
    size_t bytes;
    if (__builtin_mul_overflow(size, count, &bytes) || bytes > room) hd_overflow("fread", HD_PC());
    return block(to, size, count, file, HD_PC());
}
HD_TAKEN size_t __fread_unlocked_chk(void *to, size_t room, size_t size, size_t count, FILE *file) {
    size_t bytes;
    if (__builtin_mul_overflow(size, count, &bytes) || bytes > room) hd_overflow("fread", HD_PC());
    return block(to, size, count, file, HD_PC());
}

/* A line of any length, in memory that the caller frees and that has its name from
 * the caller, not from libc. */
static ssize_t long_line(char **at, size_t *room, int delimiter, FILE *file, void *pc) {
    if (!at || !room) {
        errno = EINVAL;
        return -1;
    }
    struct hd_stream *stream = hd_stream_enter(file, HD_NONE, true, pc);
    if (hd_watched()) {
        hd_access_range((uintptr_t)at, sizeof *at, HD_READ, pc);
        hd_access_range((uintptr_t)room, sizeof *room, HD_READ, pc);
    }
    char aside[ASIDE], *text = aside;
    size_t used = 0, most = sizeof aside;
    for (;;) {
        int c = stream ? next(stream, pc) : HD_REAL(getc)(file);
        if (c == EOF) break;
        if (used + 1 == most) { /* and the end */
            char *more = hd_passing_as_it_is(most *= 2);
            memcpy(more, text, used);
            text = more;
        }
        text[used++] = (char)c;
        if (c == delimiter) break;
    }
    hd_stream_leave(stream);
    if (used == 0) return -1;
    text[used++] = '\0';
    if (!*at || used > *room) {
        size_t size = *at && *room >= 60 ? *room : 120;
        while (size < used) size *= 2;
        char *grown = hd_heap_resize(*at, size, pc);
        if (!grown) {
            errno = ENOMEM;
            return -1;
        }
        hd_give(at, &grown, sizeof grown, pc);
        hd_give(room, &size, sizeof size, pc);
    }
    hd_give(*at, text, used, pc);
    return (ssize_t)used - 1;
}

HD_TAKEN ssize_t getline(char **at, size_t *room, FILE *file) {
    return long_line(at, room, '\n', file, HD_PC());
}
HD_TAKEN ssize_t getdelim(char **at, size_t *room, int delimiter, FILE *file) {
    return long_line(at, room, delimiter, file, HD_PC());
}
HD_ALIAS(__getline, getline);
HD_ALIAS(__getdelim, getdelim);

extern char *gets(char *to);
HD_TAKEN char *gets(char *to) {
    struct hd_stream *stream = hd_stream_enter(stdin, HD_NONE, true, HD_PC());
    hd_input_wait(stream, HD_PC());
    char *result = HD_REAL(gets)(to);
    hd_stream_leave(stream);
    if (result && hd_watched()) WRITES(to, HD_REAL(strlen)(to) + 1);
    return result;
}

HD_TAKEN wchar_t *fgetws(wchar_t *to, int size, FILE *file) {
    struct hd_stream *stream = hd_stream_enter(file, HD_NONE, true, HD_PC());
    hd_input_wait(stream, HD_PC());
    wchar_t *result = HD_REAL(fgetws)(to, size, file);
    hd_stream_leave(stream);
    if (result && hd_watched()) WRITES(to, (HD_REAL(wcslen)(to) + 1) * sizeof *to);
    return result;
}

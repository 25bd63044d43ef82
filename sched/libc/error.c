/* error.c - err.h, error.h: messages, and exits that libc would make by
 * itself, past heddle. */
#include "stream.h"

#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "prog: text: what errno says\n", each part but the first if it is there. */
static void message(const char *start, const char *format, va_list args, int code, void *pc) {
    struct hd_stream *stream = hd_stream_enter(stderr, HD_OUTPUT, true, pc);
    HD_REAL(fputs)(start, stderr);
    if (format) HD_ENTER(vfprintf)(stderr, format, args);
    if (code) {
        if (format) HD_REAL(fputs)(": ", stderr);
        HD_REAL(fputs)(HD_REAL(strerror)(code), stderr);
    }
    HD_REAL(fputc)('\n', stderr);
    hd_stream_wrote(stream, 1, pc);
}

static void warning(const char *format, va_list args, int code, void *pc) {
    char start[300];
    snprintf(start, sizeof start, "%s: ", program_invocation_short_name);
    message(start, format, args, code, pc);
}

#define LIST(call)                                                                       \
    va_list args;                                                                        \
    va_start(args, format);                                                              \
    call;                                                                                \
    va_end(args)

HD_TAKEN void vwarn(const char *format, va_list args) { warning(format, args, errno, HD_PC()); }
HD_TAKEN void vwarnx(const char *format, va_list args) { warning(format, args, 0, HD_PC()); }
HD_TAKEN void warn(const char *format, ...) { LIST(warning(format, args, errno, HD_PC())); }
HD_TAKEN void warnx(const char *format, ...) { LIST(warning(format, args, 0, HD_PC())); }

HD_TAKEN void verr(int status, const char *format, va_list args) {
    warning(format, args, errno, HD_PC());
    exit(status);
}
HD_TAKEN void verrx(int status, const char *format, va_list args) {
    warning(format, args, 0, HD_PC());
    exit(status);
}
HD_TAKEN void err(int status, const char *format, ...) {
    LIST(warning(format, args, errno, HD_PC()));
    exit(status);
}
HD_TAKEN void errx(int status, const char *format, ...) {
    LIST(warning(format, args, 0, HD_PC()));
    exit(status);
}

HD_TAKEN void error(int status, int code, const char *format, ...) {
    char start[300];
    hd_stream_step(stdout, HD_OUTPUT, HD_PC());
    HD_ENTER(fflush)(stdout);
    snprintf(start, sizeof start, "%s: ", program_invocation_name);
    LIST(message(start, format, args, code, HD_PC()));
    error_message_count++;
    if (status) exit(status);
}

HD_TAKEN void error_at_line(int status, int code, const char *file, unsigned line,
                            const char *format, ...) {
    char start[600];
    hd_stream_step(stdout, HD_OUTPUT, HD_PC());
    HD_ENTER(fflush)(stdout);
    snprintf(start, sizeof start, "%s:%s:%u: ", program_invocation_name, file, line);
    LIST(message(start, format, args, code, HD_PC()));
    error_message_count++;
    if (status) exit(status);
}

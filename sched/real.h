/* real.h - the libc functions behind the names that heddle takes over.
 *
 * Looked up once at the start; X(return type, name, parameters). */
#ifndef HD_REAL_H
#define HD_REAL_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>
#include <time.h>

#define HD_REAL_FUNCTIONS                                                                \
    X(int, __libc_start_main,                                                            \
      (int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),     \
       void (*)(void), void *))                                                          \
    X(void, exit, (int))                                                                 \
    X(void, _exit, (int))                                                                \
    X(void, abort, (void))                                                               \
    X(int, __cxa_atexit, (void (*)(void *), void *, void *))                             \
    X(void *, memcpy, (void *, const void *, size_t))                                    \
    X(void *, memmove, (void *, const void *, size_t))                                   \
    X(void *, memset, (void *, int, size_t))                                             \
    X(size_t, strlen, (const char *))                                                    \
    X(ssize_t, write, (int, const void *, size_t))                                       \
    X(ssize_t, read, (int, void *, size_t))                                              \
    X(int, clock_gettime, (clockid_t, struct timespec *))                                \
    X(int, vfprintf, (FILE *, const char *, va_list))                                    \
    X(int, sigaction, (int, const void *, void *))                                       \
    X(int, fflush, (FILE *))                                                             \
    X(int, memcmp, (const void *, const void *, size_t))                                 \
    X(int, vsnprintf, (char *, size_t, const char *, va_list))

struct hd_real {
#define X(type, name, parameters) type(*name) parameters;
    HD_REAL_FUNCTIONS
#undef X
};

void hd_real_find(struct hd_real *real);
/* Any other, by name; NULL if libc has none. Cache the answer in lasting memory. */
void *hd_real_named(const char *name);

#endif

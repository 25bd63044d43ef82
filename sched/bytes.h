/* bytes.h - copying and filling, for the runtime's own use.
 *
 * memcpy and memset are among the names heddle takes over; the runtime must not
 * call what it defines. Included before everything else in each file of the
 * runtime (the Makefile says so). */
#ifndef HD_BYTES_H
#define HD_BYTES_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline void *hd_memcpy(void *to, const void *from, size_t n) {
    void *at = to;
#if defined(__x86_64__)
    __asm__ volatile("rep movsb" : "+D"(at), "+S"(from), "+c"(n) : : "memory");
#else
    char *t = at;
    const char *f = from;
    while (n--) *t++ = *f++;
#endif
    return to;
}

static inline void *hd_memset(void *to, int value, size_t n) {
    void *at = to;
#if defined(__x86_64__)
    __asm__ volatile("rep stosb" : "+D"(at), "+c"(n) : "a"(value) : "memory");
#else
    char *t = at;
    while (n--) *t++ = (char)value;
#endif
    return to;
}

static inline void *hd_memmove(void *to, const void *from, size_t n) {
    if ((uintptr_t)to - (uintptr_t)from >= n) return hd_memcpy(to, from, n);
    char *t = (char *)to + n;
    const char *f = (const char *)from + n;
    while (n--) *--t = *--f;
    return to;
}

#include "raw.h"

#ifndef HD_DEFINES_STRINGS
#define memcpy hd_memcpy
#define memset hd_memset
#define memmove hd_memmove
#endif

#endif
